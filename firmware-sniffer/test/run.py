"""Runs the tests in a folder and says how they went as TAP. `run.py FOLDER [name ...]` runs those whose names hold one of the words."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent


class Tap(unittest.TestResult):
    def startTestRun(self):
        self.failed = 0

    def say(self, test, error=None):
        if error:
            self.failed += 1
            print("# " + self._exc_info_to_string(error, test).replace("\n", "\n# "))
        print(f"{'not ok' if error else 'ok'} {self.testsRun} - {test.id()}", flush=True)

    def addSuccess(self, test):
        self.say(test)

    def addFailure(self, test, error):
        self.say(test, error)

    def addError(self, test, error):
        self.say(test, error)


def wanted(suite, words):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from wanted(test, words)
        elif not words or any(word in test.id() for word in words):
            yield test


def main(folder, *words):
    sys.path.insert(0, str(HERE))
    found = unittest.defaultTestLoader.discover(str(HERE / folder), top_level_dir=str(HERE))
    result = Tap()
    result.startTestRun()
    unittest.TestSuite(wanted(found, words)).run(result)
    print(f"1..{result.testsRun}")
    return 0 if result.testsRun and not result.failed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
