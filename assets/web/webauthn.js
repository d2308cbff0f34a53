
"use strict";
// Passkeys in JSON: what the server sends becomes what the browser takes, and back (WebAuthn Level 3, 5.1.8 to 5.1.10, for
// browsers that do not have it).
const passkeys = {
  supported() {
    return typeof PublicKeyCredential === "function" && Boolean(navigator.credentials);
  },

  bytes(text) {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  },

  text(buffer) {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  },

  descriptors(list) {
    return (list ?? []).map((one) => ({ ...one, id: passkeys.bytes(one.id) }));
  },

  // Makes a passkey; answers it in JSON.
  async create(options) {
    const made = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: passkeys.bytes(options.challenge),
        user: { ...options.user, id: passkeys.bytes(options.user.id) },
        excludeCredentials: passkeys.descriptors(options.excludeCredentials),
      },
    });
    return {
      id: made.id,
      rawId: passkeys.text(made.rawId),
      type: made.type,
      clientExtensionResults: { credProps: made.getClientExtensionResults().credProps },
      response: {
        attestationObject: passkeys.text(made.response.attestationObject),
        clientDataJSON: passkeys.text(made.response.clientDataJSON),
        transports: made.response.getTransports?.() ?? [],
      },
    };
  },

  // Uses a passkey; answers the assertion in JSON.
  async get(options) {
    const used = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: passkeys.bytes(options.challenge),
        allowCredentials: passkeys.descriptors(options.allowCredentials),
      },
    });
    return {
      id: used.id,
      rawId: passkeys.text(used.rawId),
      type: used.type,
      clientExtensionResults: {},
      response: {
        authenticatorData: passkeys.text(used.response.authenticatorData),
        clientDataJSON: passkeys.text(used.response.clientDataJSON),
        signature: passkeys.text(used.response.signature),
        userHandle: used.response.userHandle ? passkeys.text(used.response.userHandle) : undefined,
      },
    };
  },

  // What went wrong in the browser, for the person in front of it.
  explain(error) {
    switch (error?.name) {
      case "NotAllowedError":
      case "AbortError":
        return "The passkey prompt was closed or took too long, or this device has no passkey for Quarterdeck. Nothing happened: press the button to try again.";
      case "InvalidStateError":
        return "This device already holds one of your passkeys. Use another device, or another place to keep the new one.";
      case "NotSupportedError":
      case "ConstraintError":
        return "This device cannot keep a passkey that checks who you are (by fingerprint, face or PIN). Try another one.";
      case "SecurityError":
        return "This page is open under an address its passkeys do not belong to. Open the link exactly as it was shown.";
      default:
        return "That did not work: " + (error?.message || "unknown reason") + ". Press the button to try again.";
    }
  },
};
