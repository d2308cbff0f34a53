//! The owner at a browser, without the browser: a software passkey that fills in the real pages' forms.

use reqwest::header::LOCATION;
use serde_json::{Value, json};
use url::Url;
use webauthn_authenticator_rs::AuthenticatorBackend as _;
use webauthn_authenticator_rs::softpasskey::SoftPasskey;

/// A person with one passkey.
pub struct Owner {
    origin: Url,
    passkey: SoftPasskey,
    browser: reqwest::Client,
}

/// What `POST /authorize` answered.
pub struct Answer {
    pub status: u16,
    pub location: Option<Url>,
    pub page: String,
}

impl Owner {
    /// A person who will use the pages under `origin`.
    pub fn new(origin: &str) -> Owner {
        let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().build().unwrap();
        Owner { origin: origin.parse().unwrap(), passkey: SoftPasskey::new(true), browser }
    }

    /// Creates a passkey with the link that `quarterdeck passkey add` printed.
    pub async fn enroll(&mut self, link: &str) {
        let secret = link.split('#').nth(1).unwrap().to_owned();
        let offer = self.post("/enroll/options", &json!({ "secret": secret })).await;
        let finish = self.register(&secret, &offer, "test");
        self.post("/enroll/finish", &finish).await;
    }

    /// What the enrollment page's script would send, having got `offer`.
    pub fn register(&mut self, secret: &str, offer: &Value, label: &str) -> Value {
        let options = offer["options"].clone();
        let challenge = options["challenge"].clone();
        let response =
            self.passkey.perform_register(self.origin.clone(), serde_json::from_value(options).unwrap(), 1000).unwrap();
        json!({ "secret": secret, "challenge": challenge, "label": label, "response": response })
    }

    /// The same with a fresh passkey that this person's first one allows.
    pub fn register_another(&mut self, secret: &str, offer: &Value, label: &str) -> Value {
        let mut finish = Owner::new(self.origin.as_str()).register(secret, offer, label);
        let (challenge, assertion) = self.assert(&offer["assertion"]);
        finish["assertion_challenge"] = challenge.into();
        finish["assertion"] = assertion;
        finish
    }

    /// The passkey's yes to these options, and the challenge it answers.
    fn assert(&mut self, options: &Value) -> (String, Value) {
        let challenge = options["challenge"].as_str().unwrap().to_owned();
        let options = serde_json::from_value(options.clone()).unwrap();
        let assertion = self.passkey.perform_auth(self.origin.clone(), options, 1000).unwrap();
        (challenge, serde_json::to_value(assertion).unwrap())
    }

    /// Opens the authorization page and approves under `name`, with all scopes as they are ticked.
    pub async fn approve(&mut self, authorize: &str, name: &str) -> Answer {
        let page = self.browser.get(authorize).send().await.unwrap().text().await.unwrap();
        let form = self.sign(&page, name);
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let posting = self.browser.post(self.origin.join("/authorize").unwrap());
        let answer = posting.header("content-type", "application/x-www-form-urlencoded").body(body).send().await.unwrap();
        Answer {
            status: answer.status().as_u16(),
            location: answer.headers().get(LOCATION).map(|to| to.to_str().unwrap().parse().unwrap()),
            page: answer.text().await.unwrap(),
        }
    }

    /// Posts a form as a client would, and answers status and body.
    pub async fn form(&self, path: &str, body: String) -> (u16, String) {
        let posting = self.browser.post(self.origin.join(path).unwrap());
        let answer = posting.header("content-type", "application/x-www-form-urlencoded").body(body).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// The fields the page's script would submit.
    pub fn sign(&mut self, page: &str, name: &str) -> Vec<(String, String)> {
        let options = between(page, r#"<script type="application/json" id="webauthn-options">"#, "</script>");
        let options: Value = serde_json::from_str(options).unwrap();
        let options = options.get("publicKey").cloned().unwrap_or(options);
        let (challenge, assertion) = self.assert(&options);
        let mut form = vec![
            ("challenge".to_owned(), challenge),
            ("assertion".to_owned(), assertion.to_string()),
            ("name".to_owned(), name.to_owned()),
        ];
        for input in page.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap()) {
            if input.contains(r#"name="scope""#) && input.contains("checked") {
                form.push(("scope".to_owned(), between(input, "value=\"", "\"").to_owned()));
            }
        }
        form
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let sending = self.browser.post(self.origin.join(path).unwrap()).header("content-type", "application/json");
        let answer = sending.body(body.to_string()).send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    text.split(before).nth(1).unwrap_or_else(|| panic!("{before} is not in {text}")).split(after).next().unwrap()
}
