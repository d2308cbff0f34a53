"""The official Python SDK: `python_sdk.py URL MODE (id CLIENT_ID | document URL)`; MODE is auto or legacy."""

import asyncio
import sys
import urllib.parse

import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

from talk import run, say, use

url, mode, how, who = sys.argv[1:]


class Memory:
    """Keeps tokens for as long as the program runs."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def main():
    back = asyncio.get_running_loop().create_future()

    async def answer(reader, writer):
        path = (await reader.readline()).decode().split(" ")[1]
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nConnected.")
        await writer.drain()
        writer.close()
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(path).query))
        if "code" in query and not back.done():
            back.set_result(AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss")))

    async def open_page(page):
        say("OPEN", page)

    async def come_back():
        return await back

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    redirect = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"
    memory = Memory()
    if how == "id":
        memory.client = OAuthClientInformationFull(client_id=who, redirect_uris=[redirect], token_endpoint_auth_method="none")
    metadata = OAuthClientMetadata(client_name="test", redirect_uris=[redirect], token_endpoint_auth_method="none")
    auth = OAuthClientProvider(
        server_url=url,
        client_metadata=metadata,
        storage=memory,
        redirect_handler=open_page,
        callback_handler=come_back,
        client_metadata_url=who if how == "document" else None,
    )
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            await use(client)


run(main())
