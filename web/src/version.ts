/** The version of this package, as in package.json. */
export const VERSION = "0.1.0";

/** Whether `text` is a version: three numbers with points. */
export function isVersion(text: string): boolean {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(text);
}

/** Whether version `a` comes before version `b`. */
export function isOlder(a: string, b: string): boolean {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let part = 0; part < 3; part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
