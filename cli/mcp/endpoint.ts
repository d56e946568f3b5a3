/** Where the endpoint is, and who calls: from flags and the environment. */
import type { Endpoint } from "./bridge.js";

const DEFAULT_URL = "http://127.0.0.1:4747/v1";

export interface EndpointFlags {
  /** The REST base url. */
  url?: string | undefined;
}

/** Throws an `Error` whose message says what to set. */
export function readEndpoint({ url }: EndpointFlags, env: NodeJS.ProcessEnv): Endpoint {
  const base = url ?? (env.WIREROOM_URL || DEFAULT_URL);
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) {
    throw new Error(
      `--url or WIREROOM_URL: must be a url such as ${DEFAULT_URL}, not ${JSON.stringify(base)}`,
    );
  }
  const key = env.WIREROOM_API_KEY;
  if (!key) {
    throw new Error(
      "there is no API key: set WIREROOM_API_KEY to a key of the handle that this host acts for",
    );
  }
  // It becomes a header; anything else than visible ASCII is no key, and would end the first request with a riddle.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Error("WIREROOM_API_KEY: this is no API key; one begins with wr_");
  return { url: new URL("/mcp", base), key };
}
