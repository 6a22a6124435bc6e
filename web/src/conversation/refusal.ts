import { YoobError } from "../errors.js";

const PROBE_TIMEOUT_MS = 3000;

/**
 * Why a WebSocket did not open, as far as a page can know: browsers hide the answer to a handshake.
 *
 * On the page's own site the same address is asked over HTTP. Elsewhere a page may not read answers,
 * so the error names both causes.
 */
export async function handshakeError(address: string): Promise<YoobError> {
  const url = new URL(address);
  url.protocol = url.protocol === "wss:" ? "https:" : "http:";
  const own = globalThis.location?.origin;
  if (own === undefined || url.origin !== own) {
    return new YoobError(
      "network",
      `The voice server at ${url.host} cannot be reached, or it refuses pages of ${own ?? "this site"}. ` +
        "Check that it is running and that it allows this page, and try again.",
    );
  }
  let status: number;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(url, { signal, cache: "no-store" });
    await response.body?.cancel().catch(() => undefined);
    status = response.status;
  } catch {
    return new YoobError(
      "network",
      "The voice server cannot be reached. Check that it is running, and try again.",
    );
  }
  if (status === 404) {
    return new YoobError("unsupported", `There is no voice server at ${url.pathname}.`);
  }
  if (status >= 500) {
    return new YoobError("network", `The voice server answered ${status}. Try again in a moment.`);
  }
  return new YoobError(
    "unauthorized",
    "The voice server is running, but refuses this page or its key. Check the key, and that it allows this page.",
  );
}
