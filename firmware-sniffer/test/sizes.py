"""What the images take and what there is: flash, RAM, and the deepest the stack can get. `sizes.py BUILD [CHIP]`, after
`make`; fails where something does not fit.

The CC2531's stack, from SDCC's listings: every push of each function on the deepest path of calls, as if none were ever popped,
and on top of the main loop the interrupt's. `cc2531/tests/code.rs` watches the real stack stay below.
"""

import pathlib
import re
import struct
import sys

import stack

# Flash of the dongle's application, between MBR and bootloader; the kit's, all of it. RAM of both (nrf52840/*.ld).
NRF_IMAGES = {"nrf52840-dongle": 0xE0000 - 0x1000, "nrf52840-dk": 0x100000}
NRF_RAM = 256 * 1024
# A return address on an 8051, and what SDCC's own functions, which are not in the listings, push at most.
CALL, LIBRARY = 2, 8
CALLS = re.compile(r"\s(?:lcall|acall|ljmp|ajmp|sjmp)\s+(_\w+)")
PUSH = re.compile(r"\spush\s")


def sections(path):
    """Octets of an ELF file's sections that are loaded, and of those that are only in RAM; the stack is one."""
    octets = path.read_bytes()
    (offset,), (size, count) = struct.unpack_from("<I", octets, 32), struct.unpack_from("<2H", octets, 46)
    flash = ram = 0
    for at in range(offset, offset + size * count, size):
        _, kind, flags, address, _, length = struct.unpack_from("<6I", octets, at)
        if flags & 2:
            flash += length if kind != 8 else 0
            ram += length if address >= 0x20000000 else 0
    return flash, ram


def nrf52840(build):
    for name, room in NRF_IMAGES.items():
        flash, ram = sections(build / f"{name}.elf")
        reserved = re.search(r"^\.stack +0x[0-9a-f]+ +(0x[0-9a-f]+)", (build / f"{name}.map").read_text(), re.M)
        yield name, (flash, room), (ram, NRF_RAM), (stack.bound(build / name)[0], int(reserved[1], 16))


def listings(build):
    for path in sorted(build.rglob("*.asm")):
        if not any(part.startswith("id-") for part in path.relative_to(build).parts):
            yield path.read_text()


def functions(build):
    """Pushes and callees of each function in the listings."""
    found = {}
    for text in listings(build):
        code, current = False, None
        for line in text.splitlines():
            line = line.split(";")[0]
            if line.strip().startswith(".area"):
                code = "CSEG" in line
            elif code and line.startswith("_") and ":" in line:
                current = found.setdefault(line.split(":")[0], [0, set()])
            elif code and current:
                current[0] += bool(PUSH.search(line))
                current[1].update(CALLS.findall(line))
    return found


def deepest(found, name, path=()):
    if name in path:
        sys.exit(f"recursion: {' '.join(path)} {name}")
    if name not in found:
        return CALL + LIBRARY
    pushes, callees = found[name]
    return CALL + pushes + max((deepest(found, callee, (*path, name)) for callee in callees), default=0)


def cc2531(build):
    text = (build / "cc2531.mem").read_text()
    number = lambda pattern: tuple(map(int, re.search(pattern, text).groups()))
    found = functions(build)
    bound = deepest(found, "_main") + deepest(found, "_radio_isr")
    (room,) = number(r"with (\d+) bytes available")
    external = number(r"EXTERNAL RAM +\w+ +\w+ +(\d+) +(\d+)")
    yield "cc2531", number(r"FLASH +\w+ +\w+ +(\d+) +(\d+)"), external, (bound, room)


def main(build, wanted=None):
    fits = True
    print(f"{'image':16} {'flash':>16} {'RAM':>16} {'stack at most':>16}")
    chips = {"nrf52840": nrf52840, "cc2531": cc2531}
    for name, *uses in (image for chip in chips if wanted in (None, chip) for image in chips[chip](build / chip)):
        fits &= all(used <= room for used, room in uses)
        print(f"{name:16}", *(f"{f'{used} of {room}':>16}" for used, room in uses))
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
