/**
 * Reads JSON that everybody reads alike; throws `SyntaxError` for any other.
 *
 * JSON leaves open which of two equal names counts: some readers take the first, others the last. I-JSON
 * (RFC 7493) forbids them, compared after escapes are undone, and halves of characters; names that are not
 * composed (NFC) are the same to some readers and not to others.
 */
export function parseStrictJSON(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The names so far of each object that is open, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs)) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : undefined);
      isName = token === "{";
    } else if (token === "}" || token === "]") {
      open.pop();
      isName = false;
    } else if (token === ",") {
      isName = open[open.length - 1] !== undefined;
    } else {
      const string = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
      if (/\p{Surrogate}/u.test(string)) throw new SyntaxError("it holds half of a character");
      if (!isName) continue;
      isName = false;
      if (string !== string.normalize("NFC")) throw new SyntaxError("a name is not in Unicode's composed form");
      const names = open[open.length - 1];
      if (names?.has(string)) throw new SyntaxError(`“${string.slice(0, 80)}” stands twice in one object`);
      names?.add(string);
    }
  }
  return value;
}
