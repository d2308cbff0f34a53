//! The door from end to end through the public surface only: the real binary, its commands, its pages, and an official SDK's client.

mod harness;

use harness::deck::Deck;
use harness::owner::Owner;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _, RoleClient};
use serde_json::json;

const REDIRECT: &str = "http://127.0.0.1:51730/callback";

/// A client of the SDK, through discovery, the passkey page and the code exchange.
async fn connect(deck: &Deck, owner: &mut Owner, name: &str, era: ClientLifecycleMode) -> RunningService<RoleClient, ()> {
    let endpoint = format!("{}/mcp", deck.origin);
    let mut oauth = OAuthState::new(&endpoint, None).await.unwrap();
    let client = format!("{}/clients/quarterdeck", deck.origin);
    oauth.start_authorization(AuthorizationRequest::new(REDIRECT).with_preregistered_client(client)).await.unwrap();
    let answer = owner.approve(&oauth.get_authorization_url().await.unwrap(), name).await;
    let back = answer.location.unwrap_or_else(|| panic!("{} without a redirect: {}", answer.status, answer.page));
    assert!(back.as_str().starts_with(REDIRECT), "{back}");
    oauth.handle_callback_url(back.as_str()).await.unwrap();
    let manager = oauth.into_authorization_manager().unwrap();
    let http = AuthClient::new(reqwest::Client::builder().no_proxy().build().unwrap(), manager);
    let transport = StreamableHttpClientTransport::with_client(http, StreamableHttpClientTransportConfig::with_uri(endpoint));
    ().serve_with_lifecycle(transport, era).await.unwrap()
}

fn modern() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

fn call(tool: &'static str, arguments: serde_json::Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

fn enrolled(deck: &Deck) -> String {
    deck.json(&["passkey", "add"])["url"].as_str().unwrap().to_owned()
}

/// A194
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sdk_client_comes_in_through_the_passkey_works_and_is_revoked_in_both_eras() {
    let deck = Deck::start(&[]);
    let mut owner = Owner::new(&deck.origin);
    owner.enroll(&enrolled(&deck)).await;

    for (name, era) in [("legacy", ClientLifecycleMode::Initialize), ("modern", modern())] {
        let client = connect(&deck, &mut owner, name, era).await;
        let tools: Vec<String> = client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect();
        assert_eq!(tools, ["GetContext", "ReadEvents", "ReadMemory", "RecordExperience"]);

        let context = client.call_tool(call("GetContext", json!({}))).await.unwrap();
        let conversation = context.structured_content.as_ref().unwrap()["conversation"].as_str().unwrap().to_owned();
        let record = json!({ "conversation": conversation, "board_rev": "0", "said": name, "did": "tested", "outcome": "works" });
        let recorded = client.call_tool(call("RecordExperience", record)).await.unwrap();
        assert_eq!(recorded.structured_content.unwrap()["ok"], true);

        let listed = deck.json(&["connections"]);
        let connection = listed.as_array().unwrap().iter().find(|connection| connection["name"] == name).unwrap();
        assert_eq!((connection["state"].as_str(), connection["calls_24h"].as_i64()), (Some("live"), Some(2)));

        assert!(deck.run(&["revoke", name]).status.success());
        let refused = client.call_tool(call("GetContext", json!({}))).await.unwrap_err();
        assert!(format!("{refused:?}").contains("401") || format!("{refused:?}").contains("Auth"), "{refused:?}");
    }
    assert_eq!(deck.json(&["connections"]), json!([]));
    assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0));
}
