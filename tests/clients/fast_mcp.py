"""FastMCP: `fast_mcp.py URL MODE (id CLIENT_ID | document URL)`; MODE is auto or legacy."""

import sys

from fastmcp import Client
from fastmcp.client.auth import OAuth

from talk import run, say, use

url, mode, how, who = sys.argv[1:]


class Said(OAuth):
    """Tells where its user must go in place of opening a browser."""

    async def redirect_handler(self, authorization_url):
        say("OPEN", authorization_url)


async def main():
    named = {"client_id": who} if how == "id" else {"client_metadata_url": who}
    auth = Said(mcp_url=url, callback_host="127.0.0.1", **named)
    async with Client(url, auth=auth, mode=mode) as client:
        await use(client)


run(main())
