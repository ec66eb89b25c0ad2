"""Documentation that runs, types that hold, and a package that needs nothing."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import rtoscope
from conftest import ROOT

PACKAGE = Path(__file__).parent.parent
MODULES = [name for _, name, _ in pkgutil.iter_modules(rtoscope.__path__) if name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name: str) -> None:
    module = importlib.import_module(f"rtoscope.{name}")
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def blocks(page: Path) -> list[tuple[int, str]]:
    """Return the Python blocks of a page with their lines."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(text[: block.start(1)].count("\n"), block[1]) for block in found]


def test_blocks_of_the_page_run(tmp_path, monkeypatch) -> None:
    """Runs them in order and in one namespace, from the top of the repository."""
    found = blocks(ROOT / "docs" / "python.md")
    assert len(found) >= 6
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    shown: dict[str, object] = {"__name__": "page"}
    for line, block in found:
        exec(compile("\n" * line + block, "docs/python.md", "exec"), shown)


def long_functions(text: str, most: int) -> list[tuple[str, int]]:
    """Return the functions of more than `most` lines, blank lines and comments left out, with their lines."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            count = sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in lines)
            if count > most:
                found.append((node.name, count))
    return found


def test_functions_fit_on_a_page() -> None:
    """Holds the limit of clippy.toml and eslint.config.js, docstrings included."""
    files = [path for folder in ("python", "tests", "benches") for path in sorted((PACKAGE / folder).rglob("*.py"))]
    assert len(files) > 20
    long = {path.name: long_functions(path.read_text(encoding="utf-8"), 80) for path in files}
    assert {name: found for name, found in long.items() if found} == {}
    assert long_functions("def f():\n" + "    x = 1\n" * 80 + "    # a comment\n\n", 80) == [("f", 81)]


def test_types_hold() -> None:
    """Checks the package, its stubs and a program that uses it."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", "/dev/null", PACKAGE / "python" / "rtoscope", "tests/typed.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE,
        env={"MYPYPATH": str(PACKAGE / "python")},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_types_are_found(tmp_path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("import rtoscope\nrtoscope.open('a').replay(['x'], channel='elsewhere')\nrtoscope.open(3)\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.count("error:") == 2, done.stdout
    assert "arg-type" in done.stdout


def test_stubs_name_what_the_module_has(tmp_path) -> None:
    """The stubs of the native module and the module have the same names."""
    options = ["--ignore-missing-stub", "--ignore-disjoint-bases"]
    command = [sys.executable, "-m", "mypy.stubtest", "rtoscope._core", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_style() -> None:
    for words in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, "--no-cache", "."]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGE)
        assert done.returncode == 0, done.stdout + done.stderr


def test_everything_public_is_described() -> None:
    """Docstrings of functions with parameters have numpydoc's sections for what there is."""
    for name in rtoscope.__all__:
        thing = getattr(rtoscope, name)
        if isinstance(thing, str) or (isinstance(thing, type) and issubclass(thing, Exception)):
            continue
        functions = (
            [thing] if inspect.isfunction(thing) else [f for _, f in inspect.getmembers(thing, inspect.isfunction)]
        )
        for function in functions:
            if function.__name__.startswith("_"):
                continue
            text = inspect.getdoc(function) or ""
            parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
            assert text, function
            if function.__name__ != "of":
                for parameter in parameters:
                    assert re.search(rf"^{parameter} : ", text, re.MULTILINE), (function, parameter)
                assert "Returns\n-------" in text, function


def test_the_wheel_needs_nothing_and_is_for_every_python() -> None:
    distribution = metadata.distribution("rtoscope")
    assert distribution.requires
    assert all('extra == "cluster"' in need.replace("'", '"') for need in distribution.requires)
    assert distribution.metadata["Requires-Python"] == ">=3.10"
    wheel = distribution.read_text("WHEEL")
    assert wheel is not None
    assert "Tag: cp310-abi3-" in wheel
    names = {Path(str(file)).name for file in distribution.files or ()}
    assert {"py.typed", "_core.pyi", "_core.abi3.so"} <= names
    assert distribution.version == rtoscope.__version__
