"""scripts/docs: what it takes for documented, and what it refuses."""

import importlib.machinery
import importlib.util
import json
import os
import platform
import subprocess
import tempfile
import textwrap
import unittest

from scratch import ROOT

_loader = importlib.machinery.SourceFileLoader("docs", os.path.join(ROOT, "scripts", "docs"))
docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs", _loader))
_loader.exec_module(docs)

SOURCE = """\
/// A lamp.
public struct Lamp: Hashable, CustomStringConvertible {
  /// Whether it burns.
  public var isOn: Bool
  public var watts = 40
  /// A lamp that is off.
  public init() { isOn = false }
  public var description: String { "lamp" }
  public static func == (left: Lamp, right: Lamp) -> Bool { left.isOn == right.isOn }
  public func hash(into hasher: inout Hasher) { hasher.combine(isOn) }
}
/// Colours.
public enum Colour: String {
  /// Warm ones.
  case red, orange
  case blue
}
extension Int {
  public var lamps: Int { self }
}
func helper() {}
"""


class ModuleTests(unittest.TestCase):
    """A module that was compiled, as the build leaves them."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        source = os.path.join(cls.folder, "Lamp.swift")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run(
            [docs.tool("swiftc"), "-emit-module", "-parse-as-library", "-module-name", "Lamps", source,
             "-emit-module-path", os.path.join(cls.folder, "Lamps.swiftmodule")], check=True)
        flags = ["-I", cls.folder, "-target", f"{platform.machine()}-unknown-linux-gnu"]
        cls.graphs = docs.extract("Lamps", flags, cls.folder)

    def graph(self):
        return next(graph for graph in docs.graphs(self.graphs) if "Lamp" in str(graph["symbols"][0]))

    def convert(self, **articles):
        catalog = os.path.join(tempfile.mkdtemp(dir=self.folder), "Lamps.docc")
        os.makedirs(catalog)
        for name, text in articles.items():
            with open(os.path.join(catalog, name + ".md"), "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))
        return docs.convert(catalog, self.graphs, os.path.join(os.path.dirname(catalog), "out"), "Lamps")

    def test_symbols_without_a_comment_are_told_with_their_lines(self):
        found = [item for graph in docs.graphs(self.graphs) for item in docs.undocumented(graph)]
        self.assertEqual(
            [(line, name) for _, line, name in sorted(found)],
            [(5, "Lamp.watts"), (16, "Colour.blue"), (19, "Int.lamps")])

    def test_types_that_no_topic_names_are_told(self):
        graph = self.graph()
        self.assertEqual(docs.types_without_topic(graph, "- ``Lamp``\n"), ["Colour"])
        self.assertEqual(docs.types_without_topic(graph, "- ``Lamp``\n- ``Colour-swift.enum``\n"), [])

    def test_pages_without_a_fault_are_converted(self):
        self.assertEqual(self.convert(Lamps="# ``Lamps``\n\nLamps, such as ``Lamp/isOn`` says.\n"), [])

    def test_a_link_to_a_symbol_that_is_gone_is_told_with_its_line(self):
        fault, = self.convert(Lamps="# ``Lamps``\n\nLamps, such as ``Lamp/isLit`` says.\n")
        self.assertIn("isLit", fault)
        self.assertRegex(fault, r"Lamps\.md:3: ")

    def test_a_link_to_an_article_that_is_gone_is_told(self):
        fault, = self.convert(Lamps="# ``Lamps``\n\nSee <doc:Candles>.\n")
        self.assertIn("Candles", fault)


class SampleTests(unittest.TestCase):
    def test_a_block_stands_in_a_file_further_in(self):
        block = "let a = 1\nif a > 0 {\n  use(a)\n}\n"
        self.assertTrue(docs.stands_in(block, "func f() {\n" + textwrap.indent(block, "    ") + "}\n"))

    def test_a_block_of_which_a_line_differs_does_not(self):
        source = "func f() {\n    let a = 1\n    use(b)\n}\n"
        self.assertFalse(docs.stands_in("let a = 1\nuse(a)\n", source))

    def test_blocks_are_found_with_their_lines(self):
        text = "# Title\n\n```swift\nlet a = 1\n```\n\n```json\n{}\n```\n"
        self.assertEqual(list(docs.blocks(text)), [(4, "let a = 1\n")])


class BuildTests(unittest.TestCase):
    def test_without_a_build_it_says_what_to_do(self):
        with self.assertRaisesRegex(docs.Fault, "swift build"):
            docs.Build("/nowhere")

    def test_a_source_that_is_newer_than_its_module_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            module = os.path.join(folder, "VoiceAudio.swiftmodule")
            with open(os.path.join(folder, "description.json"), "w", encoding="utf-8") as file:
                json.dump({"swiftCommands": {"a": {
                    "moduleName": "VoiceAudio", "moduleOutputPath": module, "otherArguments": []}},
                    "targetDependencyMap": {}}, file)
            open(module, "w", encoding="utf-8").close()
            build = docs.Build(folder)
            build.require_fresh("VoiceAudio")
            os.utime(module, (0, 0))
            with self.assertRaisesRegex(docs.Fault, "was changed after the build"):
                build.require_fresh("VoiceAudio")

    def test_flags_of_the_compiler_are_passed_on_in_pairs(self):
        build = docs.Build.__new__(docs.Build)
        build.commands = {"A": {"otherArguments": [
            "-target", "x", "-Onone", "-Xcc", "-I", "-Xcc", "/include", "-Xcc", "-g", "-I/usr/include/png"]}}
        self.assertEqual(
            build.flags("A"), ["-target", "x", "-Xcc", "-I", "-Xcc", "/include", "-I/usr/include/png"])

    def test_every_library_product_is_found(self):
        manifest = docs.read(os.path.join(ROOT, "Package.swift"))
        self.assertEqual(len(docs.products(manifest)), manifest.count(".library("))
        self.assertIn("Yoob", docs.products(manifest))
