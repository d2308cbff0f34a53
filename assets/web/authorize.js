
{
  const at = (id) => document.getElementById(id);
  const form = at("approve");
  const options = JSON.parse(at("webauthn-options").textContent);

  const say = (text, wrong) => {
    const box = document.createElement("p");
    if (wrong) box.className = "reason";
    box.textContent = text;
    at("status").replaceChildren(box);
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!form.querySelector("input[name=scope]:checked")) {
      say("Tick at least one thing it may do, or deny it.", true);
      return;
    }
    at("approve-button").disabled = true;
    try {
      form.elements.assertion.value = JSON.stringify(await passkeys.get(options));
      say("Checking… If your app opens now, you can close this page.");
      form.submit();
    } catch (error) {
      say(passkeys.explain(error), true);
      at("approve-button").disabled = false;
    }
  });

  if (!passkeys.supported()) {
    at("approve-button").disabled = true;
    say("This browser has no passkeys. Open this address in an up-to-date Chrome, Edge, Firefox or Safari.", true);
  }
}
