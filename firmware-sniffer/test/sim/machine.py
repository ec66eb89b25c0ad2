"""The nRF52840's core: the real image in Unicorn, with time, interrupts, and registers that models answer for.

Time is counted in cycles of 64 MHz. An instruction is charged CYCLES_PER_INSTRUCTION of them, more than a Cortex-M4 takes
from flash without a cache; a slice that ends early (sleep, return from an interrupt) is charged in full. So the simulated
CPU is slower than the real one, and what it keeps up with, the real one does. Nothing here takes the host's clock.
"""

import heapq
import struct

from unicorn import UC_ARCH_ARM, UC_HOOK_INTR, UC_MODE_MCLASS, UC_MODE_THUMB, Uc, UcError
from unicorn import arm_const as arm

from .elf import Elf

MHZ = 64
CYCLES_PER_INSTRUCTION = 3
SLICE = 256
WFI = b"\x30\xbf"
EXCEPTION_RETURN = 0xFFFFFFF9
RAM, RAM_SIZE = 0x20000000, 0x40000
PERIPHERALS, GPIO, SYSTEM, FICR = 0x40000000, 0x50000000, 0xE000E000, 0x10000000


class Reset(Exception):
    """The chip was reset; the message says by what."""


class Machine:
    def __init__(self, path):
        self.elf = Elf(path)
        self.now = 0
        self.events = []
        self.order = 0
        self.sleeping = False
        self.readers, self.writers = {}, {}
        self.lines = {}  # irq -> function: is the line high?
        self.enabled, self.priority = set(), {}
        self.active = []  # (irq, priority) of the handlers that run, innermost last
        self.returned = False
        self.interrupts = 0
        self.slept = 0
        self.uc = uc = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M4)
        uc.mem_map(0, 0x100000)
        uc.mem_map(RAM, RAM_SIZE)
        uc.mem_map(FICR, 0x1000)
        uc.mem_write(FICR + 0x60, struct.pack("<II", 0x89ABCDEF, 0x01234567))
        for base, size in ((PERIPHERALS, 0x80000), (GPIO, 0x1000), (SYSTEM, 0x1000)):
            uc.mmio_map(base, size, self._read, base, self._write, base)
        # A real chip's RAM is not zero after power-up.
        uc.mem_write(RAM, b"\xa5" * RAM_SIZE)
        for address, octets in self.elf.loads():
            uc.mem_write(address, octets)
        uc.hook_add(UC_HOOK_INTR, self._interrupt)
        # VTOR after a reset. What a bootloader leaves at 0 is not ours.
        self.vectors = 0
        stack, start = struct.unpack("<II", uc.mem_read(self.elf.sections[".text"]["address"], 8))
        self.stack_top = stack
        uc.reg_write(arm.UC_ARM_REG_SP, stack)
        self.pc = start
        self._system_registers()

    # --- registers ----------------------------------------------------------------------------------------------------
    def register(self, address, value=0, read=None, write=None):
        """A register that holds what is written to it, unless functions say otherwise."""
        cell = [value]
        self.readers[address] = read or (lambda: cell[0])

        def keep(new):
            cell[0] = new

        self.writers[address] = write or keep
        return cell

    def _read(self, _uc, offset, size, base):
        try:
            return self.readers[base + offset]()
        except KeyError:
            raise AssertionError(f"read of {base + offset:#x}, which is no register of the model") from None

    def _write(self, _uc, offset, size, value, base):
        try:
            self.writers[base + offset](value)
        except KeyError:
            raise AssertionError(f"write of {value:#x} to {base + offset:#x}, which is no register of the model") from None

    def _system_registers(self):
        def members(word, value):
            return {32 * word + bit for bit in range(32) if value >> bit & 1}

        for word in range(2):
            self.register(0xE000E100 + 4 * word, write=lambda v, w=word: self.enabled.update(members(w, v)))
            self.register(
                0xE000E180 + 4 * word, write=lambda v, w=word: self.enabled.difference_update(members(w, v))
            )
            self.register(0xE000E280 + 4 * word)
        for irq in range(48):
            self.register(0xE000E400 + irq, write=lambda v, i=irq: self.priority.__setitem__(i, v))
        self.register(0xE000ED08, write=self._vtor)
        self.register(0xE000ED0C, write=self._aircr)

    def _vtor(self, value):
        assert value % 256 == 0, "the vector table must be aligned to its size, a power of two"
        self.vectors = value

    def _aircr(self, value):
        assert value == 0x05FA0004, "a write to AIRCR without its key does nothing"
        raise Reset("software")

    # --- memory -------------------------------------------------------------------------------------------------------
    def dma(self, address, size):
        """EasyDMA reaches RAM and nothing else."""
        assert RAM <= address and address + size <= RAM + RAM_SIZE, f"EasyDMA at {address:#x}, which is not RAM"
        return address

    # --- time ---------------------------------------------------------------------------------------------------------
    def at(self, when, action):
        self.order += 1
        heapq.heappush(self.events, (max(when, self.now), self.order, action))

    def after(self, microseconds, action):
        self.at(self.now + round(microseconds * MHZ), action)

    def run(self, microseconds):
        self.run_to(self.now + round(microseconds * MHZ))

    def run_while(self, condition, limit_us):
        """Runs until the condition is false; an error when that takes longer than the limit."""
        end = self.now + limit_us * MHZ
        while condition():
            assert self.now < end, "the firmware did not get there in time"
            self.run_to(min(end, self.now + 50 * MHZ))

    def run_to(self, end):
        while True:
            while self.events and self.events[0][0] <= self.now:
                heapq.heappop(self.events)[2]()
            irq = self._waiting()
            masked = irq is not None and self.uc.reg_read(arm.UC_ARM_REG_PRIMASK) & 1
            if irq is not None:
                # With interrupts masked a waiting one only wakes.
                self.sleeping = False
                if not masked:
                    self._enter(irq)
            if self.now >= end:
                return
            until = min(end, self.events[0][0]) if self.events else end
            if self.sleeping:
                self.slept += until - self.now
                self.now = until
            else:
                # A masked interrupt is taken at the very instruction that unmasks it.
                self._slice(until, 1 if masked else SLICE)

    def _slice(self, until, most):
        count = max(1, min(most, (until - self.now) // CYCLES_PER_INSTRUCTION))
        try:
            self.uc.emu_start(self.pc | 1, 0xFFFFFFFE, count=count)
        except UcError as error:
            raise AssertionError(f"{error} near {self.uc.reg_read(arm.UC_ARM_REG_PC):#x}") from error
        self.pc = self.uc.reg_read(arm.UC_ARM_REG_PC)
        self.now += count * CYCLES_PER_INSTRUCTION
        if self.returned:
            self.returned = False
            self._leave()
        elif bytes(self.uc.mem_read(self.pc - 2, 2)) == WFI:
            self.sleeping = True

    # --- interrupts ---------------------------------------------------------------------------------------------------
    def _waiting(self):
        """The interrupt to take next: enabled, its line high, more urgent than what runs."""
        running = self.active[-1][1] if self.active else 0x100
        high = [i for i in self.enabled if self.priority.get(i, 0) < running and self.lines[i]()]
        return min(high, key=lambda i: (self.priority.get(i, 0), i)) if high else None

    def _enter(self, irq):
        """What the core does on an exception, ARMv7-M ARM B1.5.6."""
        self.interrupts += 1
        read, write = self.uc.reg_read, self.uc.reg_write
        names = (arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R1, arm.UC_ARM_REG_R2, arm.UC_ARM_REG_R3, arm.UC_ARM_REG_R12)
        words = [read(name) for name in names] + [read(arm.UC_ARM_REG_LR), self.pc, read(arm.UC_ARM_REG_XPSR)]
        sp = read(arm.UC_ARM_REG_SP)
        padding = sp & 4
        words[7] = words[7] & ~0x200 | padding << 7
        sp = sp - padding - 32
        self.uc.mem_write(sp, struct.pack("<8I", *words))
        write(arm.UC_ARM_REG_SP, sp)
        write(arm.UC_ARM_REG_LR, EXCEPTION_RETURN)
        self.pc = struct.unpack("<I", self.uc.mem_read(self.vectors + 4 * (16 + irq), 4))[0] & ~1
        self.active.append((irq, self.priority.get(irq, 0)))

    def _interrupt(self, uc, number, _data):
        """The core's own traps: 8 is the jump to EXCEPTION_RETURN; anything else is a fault."""
        if number != 8:
            raise AssertionError(f"fault {number} at {uc.reg_read(arm.UC_ARM_REG_PC):#x}")
        self.returned = True
        uc.emu_stop()

    def _leave(self):
        sp = self.uc.reg_read(arm.UC_ARM_REG_SP)
        words = struct.unpack("<8I", self.uc.mem_read(sp, 32))
        write = self.uc.reg_write
        names = (arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R1, arm.UC_ARM_REG_R2, arm.UC_ARM_REG_R3, arm.UC_ARM_REG_R12)
        for name, word in zip(names, words):
            write(name, word)
        write(arm.UC_ARM_REG_LR, words[5])
        write(arm.UC_ARM_REG_XPSR, words[7] & ~0x200)
        write(arm.UC_ARM_REG_SP, sp + 32 + (words[7] >> 7 & 4))
        self.pc = words[6]
        self.active.pop()

    def stack_used(self):
        """How deep the stack ever went: it was painted, like all RAM, before the start."""
        _, size, _ = self.elf.allocated()[".stack"]
        painted = bytes(self.uc.mem_read(self.stack_top - size, size))
        return len(painted.lstrip(b"\xa5"))
