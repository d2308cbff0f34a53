// The official TypeScript SDK: `typescript.mjs URL MODE (id CLIENT_ID | document URL)`; MODE is auto or legacy. It says what `talk.py` says.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

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

const kept = {};
const provider = {
  redirectUrl: `http://127.0.0.1:${http.address().port}/callback`,
  clientMetadataUrl: how === 'document' ? who : undefined,
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
