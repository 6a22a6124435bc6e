"""Docs/events.md against the code that writes the lines of `--events`."""

import os
import re
import unittest

from scratch import ROOT


def read(*names):
    with open(os.path.join(ROOT, *names), encoding="utf-8") as stream:
        return stream.read()


def written():
    """The fields of each type that EventLog writes."""
    found = {}
    for case in re.split(r"^    case \.", read("Sources", "yoob", "EventLog.swift"), flags=re.MULTILINE)[1:]:
        fields = set(re.findall(r"\bline\.(\w+) =", case)) - {"type"}
        for kind in re.findall(r'line\.type = "(\w+)"', case):
            found.setdefault(kind, set()).update(fields)
    return found


def rows(*heads):
    """(names in the first cell, names in the second) of each row of the table whose head begins so."""
    head = "| " + " | ".join(heads) + " |"
    lines = read("Docs", "events.md").partition(head)[2].splitlines()[2:]
    for line in lines:
        if not line.startswith("|"):
            return
        cells = line.split("|")
        yield re.findall(r"`(\w+)`", cells[1]), re.findall(r"`(\w+)`", cells[2])


class EventTests(unittest.TestCase):
    def test_every_type_that_is_written_is_documented_with_its_fields(self):
        metrics = {name for names, _ in rows("field", "what it is") for name in names}
        documented = {
            kind: metrics if kind == "metrics" else set(fields)
            for (kind,), fields in rows("`type`", "further fields", "when")}
        self.assertGreater(len(documented), 10)
        self.assertEqual(documented, written())

    def test_no_field_can_be_written_that_no_type_has(self):
        line = re.search(r"struct Line: Encodable \{(.*?)\n  \}", read("Sources", "yoob", "EventLog.swift"), re.DOTALL)
        fields = set(re.findall(r"var (\w+):", line[1])) - {"t_ms", "type"}
        self.assertEqual(fields, set().union(*written().values()))


if __name__ == "__main__":
    unittest.main()
