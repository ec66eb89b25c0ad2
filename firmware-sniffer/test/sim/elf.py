"""Enough of ELF32 (little-endian) to load an image and to find its symbols and sections."""

import struct


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:6] != b"\x7fELF\x01\x01":
            raise ValueError(f"{path} is not a little-endian ELF32")
        self.phoff, self.shoff = struct.unpack_from("<II", self.data, 28)
        self.phnum, self.shnum, self.shstrndx = (
            struct.unpack_from("<H", self.data, at)[0] for at in (44, 48, 50)
        )
        self.sections = self._sections()
        self.symbols = self._symbols()

    def loads(self):
        """(physical address, octets) of each segment that has some."""
        for i in range(self.phnum):
            kind, offset, _, physical, size = struct.unpack_from("<5I", self.data, self.phoff + 32 * i)
            if kind == 1 and size:
                yield physical, self.data[offset : offset + size]

    def _sections(self):
        heads = [struct.unpack_from("<10I", self.data, self.shoff + 40 * i) for i in range(self.shnum)]
        names = heads[self.shstrndx][4]
        return {
            self._text(names + head[0]): dict(
                type=head[1], flags=head[2], address=head[3], offset=head[4], size=head[5], link=head[6]
            )
            for head in heads
        }

    def _symbols(self):
        table, strings = self.sections[".symtab"], self.sections[".strtab"]
        symbols = {}
        for at in range(table["offset"], table["offset"] + table["size"], 16):
            name, value = struct.unpack_from("<II", self.data, at)
            if name:
                symbols[self._text(strings["offset"] + name)] = value
        return symbols

    def allocated(self):
        """Sections that take memory on the target: name to (address, size, takes flash)."""
        return {
            name: (s["address"], s["size"], s["type"] == 1)
            for name, s in self.sections.items()
            if s["flags"] & 2 and s["size"]
        }

    def _text(self, at):
        return self.data[at : self.data.index(0, at)].decode()
