"""Talks to arkived with the official Python client of the Model Context Protocol.

Usage: official_client.py PATH-OF-ARKIVED URL TOKEN DIALOG-TOKEN, the last of an agent whose own dialog
the server takes for the owner's. Over standard input and output, and over HTTP.
Prints a line for each check and exits 1 when one fails.
"""

import asyncio
import os
import sys

import mcp.types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

failures = 0


def check(name, holds):
    global failures
    print(("ok    " if holds else "FAIL  ") + name, flush=True)
    failures += 0 if holds else 1


async def talk(session, face):
    begun = await session.initialize()
    check(f"{face}: begins", begun.serverInfo.name == "arkived")
    tools = (await session.list_tools()).tools
    check(f"{face}: lists its tools", len(tools) == 24)
    hints = {tool.name: tool.annotations for tool in tools}
    check(f"{face}: tells what may delete", hints["deleteActivity"].destructiveHint is True)
    await session.send_ping()

    made = await session.call_tool("createActivity", {"text": f"tea by {face}"})
    check(f"{face}: adds", not made.isError and made.structuredContent["created"]["id"])
    entry = made.structuredContent["created"]["id"]
    day = made.structuredContent["created"]["dayKey"]
    asked = await session.call_tool("ask", {"question": "when did I last have tea?"})
    check(f"{face}: answers", not asked.isError and asked.structuredContent["citations"])
    wrong = await session.call_tool("createActivity", {"txt": "tea"})
    check(f"{face}: names what is wrong", wrong.isError and "txt" in wrong.content[0].text)
    waits = await session.call_tool("deleteActivity", {"id": entry})
    check(f"{face}: only proposes to delete", "pending" in waits.structuredContent)

    listed = (await session.list_resources()).resources
    check(f"{face}: lists days", any(str(one.uri).endswith(day) for one in listed))
    templates = (await session.list_resource_templates()).resourceTemplates
    check(f"{face}: has templates", len(templates) == 2)
    for address in (f"arkived://day/{day}", f"arkived://entry/{entry}"):
        read = await session.read_resource(address)
        check(f"{face}: reads {address.split('/')[2]}", "tea" in read.contents[0].text)
    prompts = (await session.list_prompts()).prompts
    check(f"{face}: offers prompts", len(prompts) == 3)
    review = await session.get_prompt("daily_review", {"day": day})
    check(f"{face}: gives a prompt", day in review.messages[0].content.text)


async def confirming(program):
    """The owner lets the client's own dialog count."""

    async def yes(context, parameters):
        return types.ElicitResult(action="accept", content={"confirm": True})

    place = StdioServerParameters(
        command=program, args=["mcp", "--confirm-in-client"], env=dict(os.environ))
    async with stdio_client(place) as (reads, writes):
        async with ClientSession(reads, writes, elicitation_callback=yes) as session:
            await session.initialize()
            made = await session.call_tool("createActivity", {"text": "gone soon"})
            entry = made.structuredContent["created"]["id"]
            done = await session.call_tool("deleteActivity", {"id": entry})
            check("dialog: the owner's yes in the client", "confirmed" in done.structuredContent)


async def confirming_over_http(url, token):
    """The same over HTTP, where calls are answered as streams."""

    async def yes(context, parameters):
        return types.ElicitResult(action="accept", content={"confirm": True})

    async def progress(done, total, message):
        pass

    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(url, headers=headers) as (reads, writes, session_id):
        async with ClientSession(reads, writes, elicitation_callback=yes) as session:
            await session.initialize()
            check("http dialog: has a session", bool(session_id()))
            made = await session.call_tool("createActivity", {"text": "gone soon"})
            entry = made.structuredContent["created"]["id"]
            asked = await session.call_tool(
                "ask", {"question": "when did I last have tea?"}, progress_callback=progress)
            check("http dialog: answers as a stream", not asked.isError)
            done = await session.call_tool("deleteActivity", {"id": entry})
            check("http dialog: the owner's yes in the client", "confirmed" in done.structuredContent)


async def main(program, url, token, dialog):
    place = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with stdio_client(place) as (reads, writes):
        async with ClientSession(reads, writes) as session:
            await talk(session, "stdio")
    await confirming(program)
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(url, headers=headers) as (reads, writes, _):
        async with ClientSession(reads, writes) as session:
            await talk(session, "http")
    await confirming_over_http(url, dialog)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5]))
    sys.exit(1 if failures else 0)
