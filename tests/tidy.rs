//! The rules of the architecture that a machine can check. Each failure names the file, the rule and the way out.
#![allow(clippy::disallowed_methods, reason = "the host is what must not read the environment")]

#[path = "harness/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Reach, Source, root, sources};

/// Used by all, using no capability.
const BASE: [&str; 13] =
    ["clock", "id", "digest", "text", "secret", "config", "store", "events", "audit", "http", "access", "duoduo", "state"];
/// May use everything: they put the parts together.
const WIRING: [&str; 3] = ["lib", "host", "control"];
/// Which other capabilities a capability may use.
const ARROWS: [(&str, &[&str]); 10] = [
    ("mcp", &["knowledge", "mail", "approvals", "gateway", "threads"]),
    ("gateway", &["approvals"]),
    ("oauth", &["passkeys"]),
    ("approvals", &["passkeys"]),
    ("phone", &["passkeys", "approvals", "sessions", "mail"]),
    ("passkeys", &[]),
    ("knowledge", &[]),
    ("mail", &[]),
    ("sessions", &[]),
    ("threads", &[]),
];
/// The one page with every route.
const ROUTER: &str = "src/http/router.rs";
/// Most lines of a file, and of a file of tests.
const LONGEST: usize = 400;
const LONGEST_TESTS: usize = 600;

/// All violations at once, or nothing.
fn none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

fn everything() -> Vec<Source> {
    ["src", "ui", "tests", "benches"].into_iter().filter(|folder| root().join(folder).is_dir()).flat_map(sources).collect()
}

/// The capability or base module a file of `src/` belongs to.
fn owner(path: &str) -> &str {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    inner.split('/').next().unwrap_or(inner).trim_end_matches(".rs")
}

fn is_capability(name: &str) -> bool {
    ARROWS.iter().any(|(from, _)| *from == name)
}

/// Why `file` may not reach `to`, a module or item at the crate's root.
fn forbidden(file: &str, to: &str) -> Option<String> {
    let from = owner(file);
    let arrows = ARROWS.iter().find(|(name, _)| *name == from).map_or(&[][..], |(_, to)| to);
    let tools = file.ends_with("/tools.rs") && to == "mcp";
    let allowed = WIRING.contains(&from)
        || to == from
        || BASE.contains(&to)
        || to == "Base"
        || arrows.contains(&to)
        || tools
        || (file == ROUTER && is_capability(to));
    (!allowed).then(|| {
        format!("{file}: `{from}` may not use `crate::{to}`: the arrows are in ARCHITECTURE.md and in tests/tidy.rs; turn the dependency round, or go through a hook that host.rs registers")
    })
}

fn arrow_violations(source: &Source) -> Vec<String> {
    let reached = source.reaches().into_iter().filter_map(|reach| match reach {
        Reach::Inside(segments) => segments.first().and_then(|to| forbidden(&source.path, to)),
        Reach::Root => Some(format!(
            "{}: the crate's root must not be renamed or imported as a glob: say which module is meant",
            source.path
        )),
        Reach::Outside(_) => None,
    });
    reached.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The code of the host that is not for tests.
fn host() -> Vec<Source> {
    sources("src").into_iter().filter(|source| !source.is_test()).collect()
}

#[test]
fn files_are_one_thought_long() {
    let too_long = |source: &Source| {
        let (lines, most) = (source.text.lines().count(), if source.is_test() { LONGEST_TESTS } else { LONGEST });
        (lines > most).then(|| format!("{}: {lines} lines, {most} at most: split it by verb", source.path))
    };
    none(everything().iter().filter_map(too_long).collect());
}

#[test]
fn no_file_is_named_after_nothing() {
    let named = |source: &Source| {
        let nothing = ["util", "utils", "helper", "helpers", "common", "manager", "misc"];
        let part = source.path.split(['/', '.']).find(|part| nothing.contains(part))?;
        Some(format!("{}: `{part}` says nothing: name it after what it does", source.path))
    };
    none(everything().iter().filter_map(named).collect());
}

#[test]
fn capabilities_use_each_other_along_the_arrows_only() {
    none(host().iter().flat_map(arrow_violations).collect());
}

#[test]
fn every_folder_of_the_host_is_in_the_table() {
    let known = |name: &str| BASE.contains(&name) || WIRING.contains(&name) || is_capability(name);
    let unknown = host().into_iter().filter(|source| !known(owner(&source.path)));
    none(
        unknown
            .map(|source| format!("{}: `{}` is not in the tables of tests/tidy.rs", source.path, owner(&source.path)))
            .collect(),
    );
}

/// Each form in which a capability could reach another one behind the table's back.
#[test]
fn every_form_of_a_forbidden_arrow_is_seen() {
    for (file, code) in [
        ("src/mail/send.rs", "use crate::oauth::Code;"),
        ("src/mail/send.rs", "use crate::{audit::Audit, oauth};"),
        ("src/mail/send.rs", "use crate::oauth as door;"),
        ("src/mail/send.rs", "pub use crate::oauth::*;"),
        ("src/mail/send.rs", "use super::super::oauth::Code;"),
        ("src/mail/mod.rs", "use super::oauth::Code;"),
        ("src/mail/mod.rs", "use self::super::oauth::Code;"),
        ("src/mail/send.rs", "fn f() { crate::oauth::check(); }"),
        ("src/mail/send.rs", "fn f(code: &crate::oauth::Code) {}"),
        ("src/mail/send.rs", "fn f() -> Vec<crate::oauth::Code> { Vec::new() }"),
        ("src/mail/send.rs", "impl crate::oauth::Hook for u8 {}"),
        ("src/mail/send.rs", "fn f() { super::super::oauth::check(); }"),
        ("src/mail/send.rs", "mod inner { fn f() { super::super::super::oauth::check(); } }"),
        ("src/mail/send.rs", "fn f() { println!(\"{}\", crate::oauth::NAME); }"),
        ("src/mail/send.rs", "#[derive(Serialize)] struct S { #[serde(with = \"crate::oauth::form\")] x: u8 }"),
        ("src/mail/send.rs", "fn f() { match x { crate::oauth::Code::Used => {} } }"),
        ("src/mail/send.rs", "use crate as root;"),
        ("src/mail/send.rs", "use crate::{self as root};"),
        ("src/mail/send.rs", "use crate::*;"),
        ("src/mail/mod.rs", "use super::*;"),
        ("src/mail/send.rs", "extern crate self as root;"),
        ("src/mail/send.rs", "use crate::control::Request;"),
        ("src/mail/send.rs", "use crate::testing::Fixture;"),
        ("src/mail/send.rs", "use crate::mcp::registry::Tool;"),
        ("src/approvals/decide.rs", "use crate::gateway::run;"),
        ("src/store/open.rs", "use crate::mail::Mail;"),
        ("src/http/serve.rs", "use crate::mcp::Mcp;"),
        ("src/http/router.rs", "use crate::control::Request;"),
    ] {
        assert!(!arrow_violations(&Source::parse(file, code)).is_empty(), "not seen in {file}: {code}");
    }
}

#[test]
fn no_allowed_form_is_taken_for_a_forbidden_one() {
    for (file, code) in [
        ("src/mail/send.rs", "use crate::audit::Audit; use super::{Mail, store}; use crate::Base;"),
        ("src/mail/send.rs", "pub(crate) struct M; pub(super) fn f() {} pub(in crate::mail) fn g() {}"),
        ("src/mail/send.rs", "#[cfg(test)] mod tests { use crate::oauth::Code; use crate::testing::Fixture; }"),
        ("src/mail/send.rs", "use super::*; fn f() { self::g(); super::store::all(); std::mem::drop(1); }"),
        ("src/mail/tools.rs", "use crate::mcp::registry::Tool;"),
        ("src/mcp/service.rs", "use crate::knowledge::tools;"),
        ("src/oauth/approve.rs", "use crate::passkeys::Passkeys;"),
        ("src/http/router.rs", "use crate::mail::http::send; use crate::mcp;"),
        ("src/control/answer.rs", "use crate::mail::Mail;"),
        ("src/host.rs", "use crate::mail::Mail; use crate::control::Control;"),
    ] {
        assert_eq!(arrow_violations(&Source::parse(file, code)), Vec::<String>::new(), "{file}: {code}");
    }
}

/// Files of the host that reach the crate `name` and are not `allowed` to.
fn reaching(name: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let reaches = |source: &Source| {
        let outside = source.reaches().into_iter().filter_map(|reach| match reach {
            Reach::Outside(segments) => segments.into_iter().next(),
            _ => None,
        });
        outside.collect::<BTreeSet<String>>().contains(name)
    };
    host().into_iter().filter(|source| !allowed(&source.path) && reaches(source)).map(|source| source.path).collect()
}

#[test]
fn the_host_does_not_know_the_terminal() {
    for name in ["ratatui", "crossterm", "clap", "anyhow"] {
        none(reaching(name, |_| false).into_iter().map(|file| format!("{file}: `{name}` belongs in ui/")).collect());
    }
    let prints = |source: &Source| {
        let call = ["println!(", "eprintln!(", "print!(", "eprint!("].into_iter().find(|call| source.text.contains(call))?;
        Some(format!("{}: {call}…): the host prints nothing; log it, or answer it", source.path))
    };
    none(host().iter().filter_map(prints).collect());
}

/// The names under which an item of the library's root is public.
fn shown(item: &syn::Item) -> Vec<String> {
    let (visibility, name) = match item {
        syn::Item::Mod(item) => (&item.vis, &item.ident),
        syn::Item::Struct(item) => (&item.vis, &item.ident),
        syn::Item::Enum(item) => (&item.vis, &item.ident),
        syn::Item::Trait(item) => (&item.vis, &item.ident),
        syn::Item::Type(item) => (&item.vis, &item.ident),
        syn::Item::Const(item) => (&item.vis, &item.ident),
        syn::Item::Static(item) => (&item.vis, &item.ident),
        syn::Item::Fn(item) => (&item.vis, &item.sig.ident),
        syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Public(_)) => return exported(&item.tree),
        _ => return Vec::new(),
    };
    if matches!(visibility, syn::Visibility::Public(_)) { vec![name.to_string()] } else { Vec::new() }
}

fn exported(tree: &syn::UseTree) -> Vec<String> {
    match tree {
        syn::UseTree::Path(path) => exported(&path.tree),
        syn::UseTree::Name(name) => vec![name.ident.to_string()],
        syn::UseTree::Rename(name) => vec![name.rename.to_string()],
        syn::UseTree::Glob(_) => vec!["*".to_owned()],
        syn::UseTree::Group(group) => group.items.iter().flat_map(exported).collect(),
    }
}

#[test]
fn the_terminal_uses_the_public_surface_only() {
    let code = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let lib = Source::parse("src/lib.rs", code);
    let public: BTreeSet<String> = lib.ast.items.iter().flat_map(shown).collect();
    let expected = ["Host", "StartError", "config", "control", "text"].map(str::to_owned);
    assert_eq!(public, BTreeSet::from(expected), "what the library shows is decided in ARCHITECTURE.md");
}

/// What looks like SQL in a file's strings.
fn sql(source: &Source) -> Vec<String> {
    let verbs = [
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "DELETE FROM",
        "CREATE ",
        "DROP ",
        "ALTER ",
        "PRAGMA ",
        "BEGIN IMMEDIATE",
        "SAVEPOINT ",
    ];
    source.strings().into_iter().filter(|text| verbs.iter().any(|verb| text.trim_start().starts_with(verb))).collect()
}

#[test]
fn sql_is_in_the_stores_only() {
    for code in [
        r#"fn f() { run("SELECT 1"); }"#,
        r#"fn f() { run(&format!("DELETE FROM {x}")); }"#,
        r#"const S: &str = "\n  PRAGMA x";"#,
    ] {
        assert_eq!(sql(&Source::parse("src/mail/send.rs", code)).len(), 1, "not seen: {code}");
    }
    let allowed = |path: &str| path.starts_with("src/store/") || path.ends_with("/store.rs");
    let outside = host().into_iter().filter(|source| !allowed(&source.path));
    let told =
        |source: Source| sql(&source).into_iter().map(move |text| format!("{}: SQL outside store.rs: {text:?}", source.path));
    none(outside.flat_map(told).collect());
    none(
        reaching("rusqlite", allowed)
            .into_iter()
            .map(|file| format!("{file}: `rusqlite` belongs in store.rs and src/store/"))
            .collect(),
    );
}

#[test]
fn http_is_in_its_own_files_only() {
    let allowed = |path: &str| path.ends_with("/http.rs") || path.starts_with("src/http/") || path.starts_with("src/mcp/");
    none(reaching("axum", allowed).into_iter().map(|file| format!("{file}: `axum` belongs in http.rs files")).collect());
    let mcp = |path: &str| path.starts_with("src/mcp/");
    none(reaching("rmcp", mcp).into_iter().map(|file| format!("{file}: `rmcp` belongs in src/mcp/")).collect());
}

#[test]
fn every_file_says_what_it_is_and_every_folder_of_the_host_at_length() {
    let mut violations = Vec::new();
    for source in everything() {
        let lines = source.text.lines().take_while(|line| line.starts_with("//!")).count();
        let folder = source.path.starts_with("src/") && source.path.ends_with("/mod.rs") && !source.is_test();
        match lines {
            0 => violations.push(format!("{}: begin with `//!` and one line that says what it is", source.path)),
            5..=15 => {}
            _ if folder => violations.push(format!(
                "{}: {lines} lines of module documentation; 5 to 15 say what it does for the owner, its words and its rules",
                source.path
            )),
            _ => {}
        }
    }
    none(violations);
}

#[test]
fn a_folders_first_file_holds_no_logic() {
    let mut violations = Vec::new();
    for source in host().iter().filter(|source| source.path.ends_with("/mod.rs")) {
        let logic = |item: &&syn::Item| matches!(item, syn::Item::Fn(_) | syn::Item::Impl(_) | syn::Item::Trait(_));
        let count = source.ast.items.iter().filter(logic).count();
        if count > 0 && owner(&source.path) != "store" {
            violations.push(format!(
                "{}: {count} functions and impls; mod.rs holds the documentation and `pub use`: move them to service.rs or their verb",
                source.path
            ));
        }
    }
    none(violations);
}

#[test]
fn nothing_is_left_undone() {
    let forbidden = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
        concat!("db", "g!("),
        concat!("#[ig", "nore"),
    ];
    let left = |source: &Source| {
        let what = forbidden.into_iter().find(|what| source.text.contains(what))?;
        Some(format!("{}: `{what}`: finish it or take it out", source.path))
    };
    none(everything().iter().filter_map(left).collect());
}

#[test]
fn tests_do_not_sleep() {
    let sleeps = |source: &Source| {
        let call = [concat!("thread::sl", "eep("), concat!("time::sl", "eep("), concat!(" sl", "eep(")]
            .into_iter()
            .find(|call| source.text.contains(call))?;
        Some(format!("{}: `{call}…)`: wait for what you expect, move the clock, or pause tokio's time", source.path))
    };
    none(everything().iter().filter(|source| source.is_test()).filter_map(sleeps).collect());
}

/// The names of all test functions, each with the cases its documentation names.
fn tests_by_name() -> BTreeMap<String, BTreeSet<String>> {
    struct Tests(BTreeMap<String, BTreeSet<String>>);
    impl<'ast> syn::visit::Visit<'ast> for Tests {
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            if item.attrs.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "test")) {
                self.0.entry(item.sig.ident.to_string()).or_default().extend(item.attrs.iter().flat_map(cases_in));
            }
            syn::visit::visit_item_fn(self, item);
        }
        /// Property tests are inside a macro: their names count, without documentation.
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            let tokens = call.tokens.to_string();
            let names = tokens.split("fn ").skip(1).filter_map(|rest| rest.split([' ', '(']).next());
            for name in names {
                self.0.entry(name.to_owned()).or_default();
            }
        }
    }
    let mut tests = Tests(BTreeMap::new());
    everything().iter().for_each(|source| syn::visit::Visit::visit_file(&mut tests, &source.ast));
    tests.0
}

/// The cases in a documentation line: `A` and a number. A range counts as its two ends.
fn cases_in(attribute: &syn::Attribute) -> Vec<String> {
    let syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }), .. }) =
        &attribute.meta
    else {
        return Vec::new();
    };
    let text = text.value();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|word| word.strip_prefix('A').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit())))
        .map(str::to_owned)
        .collect()
}

/// The table is written from the tests: a test names its cases, `A` and a number, in its documentation.
/// `UPDATE_CASES=1 cargo test --test tidy` writes the last column anew.
#[test]
fn the_table_of_cases_names_the_tests_that_cover_each() {
    let file = root().join("tests/tether_cases.md");
    let table = std::fs::read_to_string(&file).unwrap();
    let tests = tests_by_name();
    let mut without = Vec::new();
    let written: Vec<String> = table
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let is_case = line.starts_with("| A") && cells.len() >= 3;
            if !is_case || cells[1].starts_with("later") {
                return line.to_owned();
            }
            let covering: Vec<String> =
                tests.iter().filter(|(_, cases)| cases.contains(cells[0])).map(|(name, _)| format!("`{name}`")).collect();
            if covering.is_empty() {
                without.push(cells[0].to_owned());
            }
            format!("| {} | {} | {} | {} |", cells[0], cells[1], cells[2], covering.join(", "))
        })
        .collect();
    let written = written.join("\n") + "\n";
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&file, &written).unwrap();
    }
    let differ =
        table.lines().zip(written.lines()).find(|(is, should)| is != should && std::env::var_os("UPDATE_CASES").is_none());
    assert_eq!(differ, None, "tests/tether_cases.md is not what the tests say: UPDATE_CASES=1 cargo test --test tidy");
    assert!(without.is_empty(), "cases that are there or changed and that no test names: {}", without.join(" "));
}

#[test]
fn every_attack_has_tests_that_exist() {
    let tests = tests_by_name();
    let table = std::fs::read_to_string(root().join("tests/attack_list.md")).unwrap();
    let attacks: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let mut violations = Vec::new();
    for attack in &attacks {
        let cells: Vec<&str> = attack.trim_matches('|').split(" | ").collect();
        let named: Vec<&str> = cells.last().unwrap().split('`').skip(1).step_by(2).collect();
        if cells.len() != 3 || named.is_empty() {
            violations.push(format!("no test: {attack}"));
        }
        violations.extend(named.iter().filter(|name| !tests.contains_key(**name)).map(|name| format!("there is no test {name}")));
    }
    assert!(attacks.len() > 20, "the table is read");
    none(violations);
}

#[test]
fn every_snapshot_belongs_to_a_test() {
    let tests = tests_by_name();
    let texts: Vec<String> = everything().into_iter().map(|source| source.text).collect();
    let files = ["src", "ui", "tests"].into_iter().flat_map(|folder| walkdir::WalkDir::new(root().join(folder)));
    let orphan =
        files.map(Result::unwrap).filter(|file| file.path().extension().is_some_and(|end| end == "snap")).filter_map(|file| {
            let stem = file.path().file_stem()?.to_str()?.to_owned();
            let name = stem.rsplit("__").next()?.to_owned();
            // A further assertion of one test has a number, a screen its size: `name-2`, `name-80x24`.
            let measure = |end: &str| end.chars().all(|c| c.is_ascii_digit() || c == 'x');
            let base = name.rsplit_once('-').filter(|(_, end)| measure(end)).map_or(name.as_str(), |(base, _)| base);
            let named = tests.contains_key(base) || texts.iter().any(|text| text.contains(&format!("\"{base}")));
            (!named).then(|| format!("{}: no test has this snapshot; delete it", file.path().display()))
        });
    none(orphan.collect());
}

#[test]
fn the_documents_name_files_that_exist() {
    let mut violations = Vec::new();
    for document in ["README.md", "ARCHITECTURE.md"] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        let quoted = text.split('`').skip(1).step_by(2).filter(|words| !words.contains([' ', '\n', '<', '*', '{']));
        let ours = ["src/", "ui/", "tests/", "assets/", ".ci/"];
        // A path as `oauth/approve.rs` is one below src/ or ui/.
        let file = |words: &str| words.contains('/') && words.ends_with(".rs");
        for path in quoted.filter(|words| ours.iter().any(|folder| words.starts_with(folder)) || file(words)) {
            if !["", "src", "ui"].iter().any(|folder| root().join(folder).join(path).exists()) {
                violations.push(format!("{document}: `{path}` does not exist"));
            }
        }
    }
    none(violations);
}
