//! The project's own source, parsed: what the tidy test looks at.

use std::path::{Path, PathBuf};

use syn::visit::Visit;
use walkdir::WalkDir;

/// One Rust file.
pub struct Source {
    /// From the root of the project, with `/`.
    pub path: String,
    pub text: String,
    pub ast: syn::File,
}

/// A path in the code, as far as one file can tell where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Into this crate: the segments after `crate`.
    Inside(Vec<String>),
    /// Somewhere else, or to a name that a `use` brought in.
    Outside(Vec<String>),
    /// The crate's root under another name or as a glob: everything after it would be invisible here.
    Root,
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below `folder`.
pub fn sources(folder: &str) -> Vec<Source> {
    let files = WalkDir::new(root().join(folder)).sort_by_file_name().into_iter().map(Result::unwrap);
    files
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|file| Source::read(file.path()))
        .collect()
}

impl Source {
    fn read(file: &Path) -> Source {
        let text = std::fs::read_to_string(file).unwrap();
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        Source::parse(path, text)
    }

    pub fn parse(path: impl Into<String>, text: impl Into<String>) -> Source {
        let (path, text) = (path.into(), text.into());
        let ast = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        Source { path, text, ast }
    }

    /// Whether the whole file is for tests.
    pub fn is_test(&self) -> bool {
        let parts: Vec<&str> = self.path.split('/').collect();
        parts[0] == "tests" || parts.iter().any(|part| matches!(*part, "tests" | "tests.rs" | "testing" | "testing.rs"))
    }

    /// The module this file is, below the crate.
    fn module(&self) -> Vec<String> {
        let inner = self.path.split_once('/').map_or("", |(_, rest)| rest).trim_end_matches(".rs");
        let parts = inner.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
        parts.map(str::to_owned).collect()
    }

    /// What the code that is not for tests reaches.
    pub fn reaches(&self) -> Vec<Reach> {
        let mut seen = Seen { module: self.module(), reaches: Vec::new(), strings: Vec::new() };
        seen.visit_file(&self.ast);
        seen.reaches
    }

    /// The string literals of the code that is not for tests, those in macros too.
    pub fn strings(&self) -> Vec<String> {
        let mut seen = Seen { module: self.module(), reaches: Vec::new(), strings: Vec::new() };
        seen.visit_file(&self.ast);
        seen.strings
    }
}

struct Seen {
    module: Vec<String>,
    reaches: Vec<Reach>,
    strings: Vec<String>,
}

impl Seen {
    fn reach(&mut self, segments: Vec<String>) {
        let mut inside = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ => return self.reaches.push(Reach::Outside(segments)),
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(inside.pop()),
                _ => inside.push(segment),
            }
        }
        self.reaches.push(Reach::Inside(inside));
    }

    /// One `use`, flattened. Ending at the root or in its glob is a way around every rule about what may be used.
    fn import(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        let before = self.reaches.len();
        match tree {
            syn::UseTree::Path(path) => return self.import(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => return group.items.iter().for_each(|tree| self.import(prefix, tree)),
            syn::UseTree::Glob(_) => self.reach([prefix, &["*".to_owned()]].concat()),
            syn::UseTree::Name(name) => self.reach(with(&name.ident)),
            syn::UseTree::Rename(name) => self.reach(with(&name.ident)),
        }
        for reach in &mut self.reaches[before..] {
            if matches!(reach, Reach::Inside(segments) if segments.is_empty() || segments == &["*"]) {
                *reach = Reach::Root;
            }
        }
    }

    /// Tokens of a macro or an attribute: paths and strings in them count too.
    fn tokens(&mut self, tokens: &str) {
        let tight = tokens.replace(" :: ", "::").replace(":: ", "::").replace(" ::", "::");
        for word in tight.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let segments: Vec<String> = word.split("::").map(str::to_owned).collect();
            if segments.len() > 1 && segments.iter().all(|segment| !segment.is_empty() && !segment.contains(':')) {
                self.reach(segments);
            }
        }
        self.strings.extend(tokens.split('"').skip(1).step_by(2).map(str::to_owned));
    }
}

fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("test") || list.is_ok_and(|list| list.path.is_ident("cfg") && list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !for_tests(&item.attrs) {
            self.module.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !for_tests(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !for_tests(&item.attrs) {
            syn::visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !for_tests(&item.attrs) {
            self.import(&[], &item.tree);
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        if item.ident == "self" {
            self.reaches.push(Reach::Root);
        }
    }

    /// `pub(crate)` and `pub(in …)` reach nothing.
    fn visit_visibility(&mut self, _visibility: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.reach(segments);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(&call.tokens.to_string());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(&list.tokens.to_string());
        }
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.strings.push(text.value());
    }
}
