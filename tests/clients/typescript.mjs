// The official TypeScript SDK: `typescript.mjs URL MODE (id CLIENT_ID | document URL | signed URL)`; MODE is auto or legacy. It says what
// `talk.py` says. `signed` signs with a fresh key, whose public half it first puts into the file KEYS.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, UnauthorizedError, createPrivateKeyJwtAuth } from '@modelcontextprotocol/client';

const [url, mode, how, who] = process.argv.slice(2);
const say = (kind, text) => console.log(`${kind} ${String(text).replaceAll(/\s+/g, ' ')}`);
const firstLine = (answer) => answer.content[0].text.split('\n')[0];

let cameBack;
const back = new Promise((resolve) => (cameBack = resolve));
const http = createServer((request, response) => {
  response.end('Connected.');
  const query = new URL(request.url, url).searchParams;
  if (query.has('code')) cameBack(query);
});
await new Promise((ready) => http.listen(0, '127.0.0.1', ready));

const sign = async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const [privateKey, open] = await Promise.all([pair.privateKey, pair.publicKey].map((key) => crypto.subtle.exportKey('jwk', key)));
  writeFileSync(process.env.KEYS, JSON.stringify({ keys: [{ kty: open.kty, crv: open.crv, x: open.x, y: open.y, alg: 'ES256', use: 'sig' }] }));
  const signed = createPrivateKeyJwtAuth({ issuer: who, subject: who, privateKey, alg: 'ES256' });
  return async (headers, params, ...rest) => {
    params.set('client_id', who);
    await signed(headers, params, ...rest);
  };
};

const kept = {};
const provider = {
  addClientAuthentication: how === 'signed' ? await sign() : undefined,
  redirectUrl: `http://127.0.0.1:${http.address().port}/callback`,
  clientMetadataUrl: how === 'id' ? undefined : who,
  get clientMetadata() {
    return { client_name: 'test', redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  },
  state: () => crypto.randomUUID(),
  clientInformation: () => kept.client ?? (how === 'id' ? { client_id: who } : undefined),
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  redirectToAuthorization: (page) => say('OPEN', page),
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  saveDiscoveryState: (state) => (kept.discovery = state),
  discoveryState: () => kept.discovery,
};

const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
const client = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });

const begin = async () => {
  const transport = open();
  try {
    const first = client();
    await first.connect(transport);
    return first;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const query = await back;
    await transport.finishAuth(query.get('code'), query.get('iss'));
    const second = client();
    await second.connect(open());
    return second;
  }
};

try {
  const connected = await begin();
  const { tools } = await connected.listTools();
  say('TOOLS', tools.map((tool) => tool.name).sort().join(','));
  say('CALLED', firstLine(await connected.callTool({ name: 'GetContext', arguments: {} })));
  await new Promise((told) => createInterface({ input: process.stdin }).once('line', told));
  try {
    say('UNENDED', firstLine(await connected.callTool({ name: 'GetContext', arguments: {} })));
  } catch (error) {
    say('ENDED', `${error.constructor.name}: ${error.message}`);
  }
  process.exit(0);
} catch (error) {
  say('ENDED', `${error.constructor.name}: ${error.message}`);
  process.exit(1);
}
