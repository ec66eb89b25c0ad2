"""The deepest the stack can get, from what the compiler wrote of each function (-fcallgraph-info=su): its own use and whom it
calls. No recursion, no calls through pointers, no functions of unknown use, or there is no bound and this says so.

Interrupts: a handler runs on the same stack, so on top of the main loop comes the deepest handler of each priority, with
the eight words and the alignment the core pushes (ARMv7-M ARM B1.5.6; the FPU is not used).
"""

import pathlib
import re

NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
USE = re.compile(r"(\d+) bytes \((\w+)\)")
EXCEPTION = 32 + 4
MAIN = "reset_handler"
# Handlers by priority: one of each can be on the stack at once.
HANDLERS = (("radio_isr",), ("usb_isr", "timebase_isr"))


def graph(folder):
    use, calls = {}, {}
    for path in sorted(pathlib.Path(folder).rglob("*.ci")):
        text = path.read_text()
        for title, label in NODE.findall(text):
            found = USE.search(label)
            if found:
                size, kind = found.groups()
                if kind != "static":
                    raise ValueError(f"{title} takes {kind} stack")
                use[title] = int(size)
        for source, target in EDGE.findall(text):
            calls.setdefault(source, set()).add(target)
    return use, calls


def deepest(use, calls, name, path=()):
    """(bytes, the chain of calls) below and including a function."""
    if name in path:
        raise ValueError("recursion: " + " > ".join((*path, name)))
    if name not in use:
        raise ValueError(f"{path[-1] if path else 'an entry'} calls {name}, of which the compiler said nothing")
    below = [deepest(use, calls, callee, (*path, name)) for callee in sorted(calls.get(name, ()))]
    size, chain = max(below, default=(0, ()))
    return use[name] + size, (name, *chain)


def bound(folder):
    use, calls = graph(folder)
    # The functions of one file that others name alike have titles of their own ("core/a.c:f"), so names are unique here.
    total, report = deepest(use, calls, MAIN)
    report = [("main loop", total, report)]
    for names in HANDLERS:
        size, chain = max(deepest(use, calls, name) for name in names)
        report.append((names[0], size + EXCEPTION, chain))
        total += size + EXCEPTION
    return total, report


if __name__ == "__main__":
    import sys

    total, report = bound(sys.argv[1])
    for name, size, chain in report:
        print(f"{size:5} {name}: {' > '.join(part.split(':')[-1] for part in chain)}")
    print(f"{total:5} in all")
