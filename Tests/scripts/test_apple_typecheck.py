"""The type check of Apple code: conditions as on Apple's systems, and faults that are found."""

import importlib.machinery
import importlib.util
import os
import shutil
import tempfile
import unittest

from scratch import ROOT

LOADER = importlib.machinery.SourceFileLoader("apple_typecheck", os.path.join(ROOT, "scripts", "apple-typecheck"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("apple_typecheck", LOADER))
LOADER.exec_module(check)


class ConditionTests(unittest.TestCase):
    def test_conditions_are_those_of_the_platform(self):
        for condition, expected in [
            ("os(Linux)", "false"), ("os(Linux) || os(macOS)", "false || true"), ("canImport(Glibc)", "false"),
            ("canImport(Darwin) && !canImport(CPulse)", "canImport(Darwin) && !canImport(CPulse)"),
        ]:
            self.assertEqual(check.translated(condition, "macOS"), expected)
        self.assertEqual(check.translated("os(iOS)", "iOS"), "true")

    def test_every_target_with_apple_code_is_checked(self):
        self.assertEqual(list(check.unlisted()), [])


class FaultTests(unittest.TestCase):
    """A package of one target with Apple code, and one framework."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.write("Tests/AppleStandIns/Metal/Metal.swift", "public func makeDevice() -> Int? { nil }\n")
        self.replace(ROOT=self.root, BUILD=os.path.join(self.root, "build"), FRAMEWORKS=["Metal"],
                     STAND_INS=os.path.join(self.root, "Tests", "AppleStandIns"), TARGETS={"Face": []}, PURE={"Face"})

    def replace(self, **values):
        for name, value in values.items():
            self.addCleanup(setattr, check, name, getattr(check, name))
            setattr(check, name, value)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def result(self, code):
        self.write("Sources/Face/Apple/Device.swift",
                   "#if canImport(Glibc)\nimport Nowhere\n#elseif canImport(Metal)\nimport Metal\n" + code + "\n#endif\n")
        (name, messages), = check.Checker("iOS").run({"Face"})
        self.assertEqual(name, "Face")
        return messages

    def test_right_code_passes(self):
        self.assertEqual(self.result("let device: Int? = makeDevice()"), "")

    def test_faults_of_types_bodies_and_values_are_found_and_mended(self):
        self.assertIn("Sources/Face/Apple/Device.swift:5", self.result("let device: String = makeDevice()"))
        self.assertIn("no member 'width'", self.result("func body() -> Int { makeDevice().width }"))
        self.assertIn("before being initialized", self.result("func body() -> Int { let x: Int; return x }"))
        self.assertIn("warning", self.result("func body() { let x = 1 }"))
        self.assertEqual(self.result("let device = makeDevice()"), "")

    def test_what_is_missing_in_a_framework_is_a_fault(self):
        self.write("Tests/AppleStandIns/Metal/Metal.swift", "public func makeQueue() {}\n")
        self.assertIn("makeDevice", self.result("let device: Int? = makeDevice()"))


if __name__ == "__main__":
    unittest.main()
