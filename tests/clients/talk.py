"""What every Python client here says on its standard output, and when it goes on.

A line begins with its kind: OPEN with the page its user must visit, TOOLS with the names it was given, CALLED with the first line of an
answer, and, after a line was read from standard input, ENDED with how the next call failed.
"""

import asyncio
import sys
import traceback


def say(kind, text):
    print(kind, " ".join(str(text).split()), flush=True)


async def use(client):
    """Lists, calls, waits to be told that the connection was revoked, and calls again."""
    listed = await client.list_tools()
    say("TOOLS", ",".join(sorted(tool.name for tool in getattr(listed, "tools", listed))))
    say("CALLED", first_line(await client.call_tool("GetContext", {})))
    sys.stdin.readline()
    try:
        say("UNENDED", first_line(await client.call_tool("GetContext", {})))
    except BaseException as error:
        ended(error)
        raise SystemExit(0) from None


def ended(error):
    """The innermost error: what a person would see of it."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]
    say("ENDED", traceback.format_exception_only(error)[-1])


def run(client):
    """Runs a client to its end, and says what kept it from getting there."""
    try:
        asyncio.run(client)
    except Exception as error:
        ended(error)
        sys.exit(1)


def first_line(answer):
    return answer.content[0].text.splitlines()[0]
