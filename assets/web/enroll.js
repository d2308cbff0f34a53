
{
  const at = (id) => document.getElementById(id);
  const secret = location.hash.slice(1);
  // Out of the address bar: not in the history, not in a screenshot.
  history.replaceState(null, "", location.pathname);
  // A newer link opened over this page changes the fragment only, and loads nothing by itself.
  addEventListener("hashchange", () => location.reload());

  // What the server offered and the page has not sent back yet; the proof is the assertion of a passkey that is enrolled already.
  let offer = null;
  let proof = null;

  const say = (text) => { at("status").textContent = text; };

  const complain = (text) => {
    const box = document.createElement("p");
    box.className = "reason";
    box.textContent = text;
    at("status").replaceChildren(box);
    box.scrollIntoView({ block: "nearest" });
  };

  const show = (id) => {
    for (const section of ["ask", "done", "stop"]) at(section).hidden = section !== id;
    say("");
    at(id + "-title")?.focus();
  };

  const stop = (title, text) => {
    at("stop-title").textContent = title;
    at("stop-text").textContent = text;
    show("stop");
  };

  class Refused extends Error {
    constructor(answer) {
      super(answer.message);
      this.reason = answer.reason;
    }
  }

  const ask = async (path, body) => {
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    } catch {
      throw new Refused({ reason: "unreachable", message: "Quarterdeck does not answer. Check that it is running, then press the button again." });
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Refused({ reason: answer.reason ?? "refused", message: answer.message ?? "Quarterdeck answered with an error (" + response.status + ")." });
    return answer;
  };

  const prepare = async () => {
    offer ??= await ask("/enroll/options", { secret });
    at("second").hidden = !offer.assertion;
  };

  const enroll = async () => {
    await prepare();
    if (offer.assertion && !proof) {
      say("First, use the passkey you already have.");
      proof = await passkeys.get(offer.assertion);
    }
    say(offer.assertion ? "Now create the new passkey." : "Follow your browser to create the passkey.");
    const response = await passkeys.create(offer.options);
    say("Enrolling it…");
    const body = { secret, challenge: offer.options.challenge, label: at("label").value, response };
    if (proof) Object.assign(body, { assertion_challenge: offer.assertion.challenge, assertion: proof });
    offer = proof = null;
    await ask("/enroll/finish", body);
  };

  const failed = (error) => {
    if (error instanceof Refused && error.reason === "link") {
      stop("This link no longer works", "It was used, was replaced by a newer one, or is older than ten minutes. Ask for a new one in the terminal and open that.");
    } else {
      complain(error instanceof Refused ? error.message : passkeys.explain(error));
    }
  };

  at("enroll").addEventListener("submit", async (event) => {
    event.preventDefault();
    at("create").disabled = true;
    try {
      await enroll();
      show("done");
    } catch (error) {
      at("create").disabled = false;
      at("create").focus({ preventScroll: true });
      failed(error);
    }
  });

  if (!secret) {
    stop("Open the whole link", "This address is missing its last part, the one after “#”. Open the link exactly as the terminal shows it, or scan its code. After a reload, open the link again.");
  } else if (!passkeys.supported()) {
    stop("This browser has no passkeys", "Open the link in an up-to-date Chrome, Edge, Firefox or Safari, on this device or on your phone.");
  } else {
    prepare().catch(failed);
  }
}
