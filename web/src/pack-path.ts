/** What does not show, what Windows refuses, and what an address reads as more than a name. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\\:*?"<>|%#]/u;
/** Names that Windows opens a device for, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i;
const OWN_NAMES = ["character.json", "character.signed.json"];
const LARGEST_PATH_BYTES = 512;
const LARGEST_PART_BYTES = 255;

const encoder = new TextEncoder();

/** Whether a path is the same file on every system, and stays inside its pack however an address is read. */
export function isSafePath(path: string): boolean {
  if (encoder.encode(path).length > LARGEST_PATH_BYTES || UNSAFE.test(path)) return false;
  const isSafePart = (part: string): boolean =>
    part !== "" && !/^ |[. ]$/.test(part) && !RESERVED.test(part) &&
    encoder.encode(part).length <= LARGEST_PART_BYTES;
  return path.split("/").every(isSafePart) && !OWN_NAMES.includes(folded(path));
}

/** Whether some file system, or an eye, takes two of the paths for one, or one for the folder of another. */
export function hasClash(paths: string[]): boolean {
  const files = new Set(paths.map(folded));
  if (files.size < paths.length) return true;
  return [...files].some((path) => {
    const parts = path.split("/");
    return parts.some((_, count) => count > 0 && files.has(parts.slice(0, count).join("/")));
  });
}

/** One spelling for all paths that are taken for the same. */
function folded(path: string): string {
  return path.replace(/\p{Default_Ignorable_Code_Point}/gu, "").toUpperCase().toLowerCase().normalize("NFC");
}
