"""Sends confirmable requests to servers on loopback with aiocoap and the settings that RTOscope wrote."""

import asyncio
import sys

import aiocoap
import aiocoap.numbers.constants

LINES


async def send(port, count):
    context = await aiocoap.Context.create_client_context()
    for _ in range(count):
        uri = f"coap://127.0.0.1:{port}/t"
        request = aiocoap.Message(code=aiocoap.GET, uri=uri, transport_tuning=Timing())
        await context.request(request).response
    await context.shutdown()


async def main():
    count, *ports = (int(argument) for argument in sys.argv[1:])
    await asyncio.gather(*(send(port, count) for port in ports))


asyncio.run(main())
