
{
  const at = (id) => document.getElementById(id);
  const form = at("change");
  const boxes = [...form.querySelectorAll("input[name=scope]")];
  const options = JSON.parse(at("webauthn-options").textContent);

  const say = (text, wrong) => {
    const box = document.createElement("p");
    if (wrong) box.className = "reason";
    box.textContent = text;
    at("status").replaceChildren(box);
  };

  // What ticking and unticking comes to, said before the passkey is asked for.
  const now = (box) => "now" in box.dataset;
  const words = (box) => box.nextElementSibling.firstElementChild.textContent;

  const difference = () => {
    const list = document.createElement("dl");
    list.className = "warning";
    for (const [name, some] of [
      ["It gains", boxes.filter((box) => box.checked && !now(box))],
      ["It loses", boxes.filter((box) => !box.checked && now(box))],
    ]) {
      if (!some.length) continue;
      list.append(Object.assign(document.createElement("dt"), { textContent: name }));
      for (const box of some) list.append(Object.assign(document.createElement("dd"), { textContent: words(box) }));
    }
    at("difference").replaceChildren(...(list.childElementCount ? [list] : []));
  };

  form.addEventListener("change", () => {
    at("status").replaceChildren();
    difference();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!boxes.some((box) => box.checked)) {
      say("One thing at least has to stay. To take everything away, revoke the connection in the terminal instead.", true);
      return;
    }
    if (boxes.every((box) => box.checked === now(box))) {
      say("Nothing would change: tick or untick something.", true);
      return;
    }
    at("change-button").disabled = true;
    try {
      form.elements.assertion.value = JSON.stringify(await passkeys.get(options));
      say("Checking…");
      form.submit();
    } catch (error) {
      say(passkeys.explain(error), true);
      at("change-button").disabled = false;
    }
  });

  difference();
  if (!passkeys.supported()) {
    at("change-button").disabled = true;
    say("This browser has no passkeys. Open the address in an up-to-date Chrome, Edge, Firefox or Safari.", true);
  }
}
