/** Where the endpoint is, and who calls: from flags, the environment and the profile. */
import { Failure } from "../../failure.js";
import { keyOf } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import type { Endpoint } from "./bridge.js";

/** Throws a `Failure` whose message says what to set. */
export async function readEndpoint(session: Session): Promise<Endpoint> {
  const base = await session.url();
  const key = keyOf(session.choices, await session.profile());
  // It becomes a header; anything else than visible ASCII is no key, and would end the first request with a riddle.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure(
      "NO_CREDENTIALS",
      "WIREROOM_API_KEY, or the profile: this is no API key; one begins with wr_",
    );
  return { url: new URL("/mcp", base), key };
}
