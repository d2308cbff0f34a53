// A server of the TypeScript SDK whose one tool answers what is in a file: what `benches/calls` is compared with.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';

const result = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'bare', version: '1' });
    server.registerTool('ReadMemory', { inputSchema: z.object({ path: z.string() }) }, () => result);
    return server;
  },
  { responseMode: 'json' },
);
const http = createServer(toNodeHandler(handler));
http.listen(0, '127.0.0.1', () => console.log(`127.0.0.1:${http.address().port}`));
