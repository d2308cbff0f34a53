//! A real browser: headless Chromium with a virtual authenticator, driven through its WebDriver. Everything it starts ends with it.
#![allow(clippy::disallowed_methods, reason = "the host is what must not read the environment")]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use tokio::sync::{Semaphore, SemaphorePermit};

/// What the tests need besides Rust.
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];
/// How long an element may take to appear on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked for.
const GLANCE: Duration = Duration::from_millis(50);

/// Browsers at a time: each is several busy processes, and more of them than cores only make all of them late.
static PLACES: Semaphore = Semaphore::const_new(2);

/// What is not installed, if anything.
pub fn missing() -> Option<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    PROGRAMS.into_iter().find(|program| !std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// A browser with one page and a passkey device that says yes.
pub struct Browser {
    // Dropped first: ending the session ends Chromium, while its driver still runs.
    pub page: WebDriver,
    _driver: Driver,
    _profile: tempfile::TempDir,
    _place: SemaphorePermit<'static>,
}

struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _reaped = self.0.wait();
    }
}

impl Browser {
    /// Starts one; `None` when Chromium or its driver is missing, which `CI` makes a failure. The last lines of a run say what did not run.
    pub async fn start() -> Option<Browser> {
        if let Some(program) = missing() {
            assert!(std::env::var_os("CI").is_none(), "{program} is not installed, and CI runs every test");
            return None;
        }
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let place = PLACES.acquire().await.unwrap();
        let profile = tempfile::tempdir().unwrap();
        let mut child =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let driver = Driver(child);
        let port = lines.filter_map(|line| port(&line)).next().expect("chromedriver says which port it took");
        let page = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities(profile.path())).await.unwrap();
        let browser = Browser { page, _driver: driver, _profile: profile, _place: place };
        browser.plug_in_passkeys().await;
        Some(browser)
    }

    /// A built-in authenticator that keeps passkeys, knows its owner and needs no touch.
    async fn plug_in_passkeys(&self) {
        self.tell("WebAuthn.enable", json!({ "enableUI": false })).await;
        let options = json!({
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
            "isUserVerified": true, "automaticPresenceSimulation": true
        });
        self.tell("WebAuthn.addVirtualAuthenticator", json!({ "options": options })).await;
    }

    async fn tell(&self, method: &str, parameters: Value) -> Value {
        self.page.cdp().send_raw(method, parameters).await.unwrap()
    }

    /// As large as a phone, with a phone's density and touch.
    pub async fn phone_sized(&self) {
        let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
        self.tell("Emulation.setDeviceMetricsOverride", phone).await;
    }

    /// What the owner prefers: `dark` or `light`.
    pub async fn scheme(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.tell("Emulation.setEmulatedMedia", features).await;
    }

    pub async fn open(&self, url: &str) {
        // A different page first: a link that differs only in what is behind `#` would not load anything.
        self.page.goto("about:blank").await.unwrap();
        self.page.goto(url).await.unwrap();
    }

    /// What a person could see: a page has parts that wait hidden for their moment.
    async fn find(&self, by: By) -> WebElement {
        let what = format!("{by:?}");
        match self.page.query(by).and_displayed().wait(PATIENCE, GLANCE).first().await {
            Ok(element) => element,
            Err(error) => panic!("{what}: {error}\n{}", self.text().await),
        }
    }

    /// The button with this name.
    pub async fn button(&self, name: &str) -> WebElement {
        self.find(By::XPath(format!("//button[normalize-space()='{name}']"))).await
    }

    /// The field that the label of this name belongs to.
    pub async fn field(&self, label: &str) -> WebElement {
        self.find(By::XPath(format!("//input[@id=//label[normalize-space()='{label}']/@for]"))).await
    }

    pub async fn element(&self, css: &str) -> WebElement {
        self.find(By::Css(css)).await
    }

    /// Waits for these words on the page.
    pub async fn says(&self, words: &str) {
        self.find(By::XPath(format!("//body//*[not(self::script)][contains(normalize-space(),\"{words}\")]"))).await;
    }

    /// Everything a person sees.
    pub async fn text(&self) -> String {
        match self.page.find(By::Tag("body")).await {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(error) => error.to_string(),
        }
    }

    /// What `expression` is in the page.
    pub async fn evaluate(&self, expression: &str) -> Value {
        self.page.execute(format!("return {expression}"), Vec::new()).await.unwrap().json().clone()
    }

    /// Where the browser is, once `arrived` says so. Also when nothing answers there: the address bar has it all the same.
    pub async fn arrives(&self, arrived: impl Fn(&str) -> bool) -> String {
        let begun = tokio::time::Instant::now();
        loop {
            let url = self.page.current_url().await.unwrap().to_string();
            if arrived(&url) {
                return url;
            }
            assert!(begun.elapsed() < PATIENCE, "still at {url}: {}", self.text().await);
            tokio::task::yield_now().await;
        }
    }

    /// Keeps a picture of the whole page in `artifacts/`.
    pub async fn picture(&self, name: &str) -> PathBuf {
        let size = self.tell("Page.getLayoutMetrics", json!({})).await["cssContentSize"].clone();
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let picture = self.tell("Page.captureScreenshot", json!({ "captureBeyondViewport": true, "clip": clip })).await;
        let bytes = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}.png"));
        std::fs::write(&file, bytes).unwrap();
        file
    }

    /// Whether something sticks out on the right.
    pub async fn scrolls_sideways(&self) -> bool {
        self.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth").await == true
    }
}

fn port(line: &str) -> Option<u16> {
    line.split("successfully on port ").nth(1)?.trim_end_matches('.').trim().parse().ok()
}

fn capabilities(profile: &Path) -> thirtyfour::ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1000,900",
        &format!("--user-data-dir={}", profile.display()),
    ] {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities
}
