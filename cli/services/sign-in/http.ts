/** Sends requests outside the REST API: for daemon metadata, and for sign-up at the embedded provider. */
import { ConnectionError, TimeoutError, TlsError } from "../../../sdk/src/api.js";
import { describeFault } from "../../../sdk/src/runtime/transport/fault.js";
import { parseBody } from "../../../sdk/src/runtime/transport/response.js";

/**
 * Request timeout. It is long, because the provider may need seconds to hash a password on a busy machine.
 */
const TIMEOUT_MS = 30_000;

export async function requestJson(
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  return withConnectionErrors(url, TIMEOUT_MS, async (signal) => {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal,
    });
    const { status } = response;
    const { pathname, origin } = new URL(url);
    return parseBody({ status, headers: response.headers, text: await response.text() }, pathname, origin);
  });
}

export async function withConnectionErrors<Result>(
  url: string | URL,
  timeoutMs: number,
  send: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(AbortSignal.timeout(timeoutMs));
  } catch (error) {
    if ((error as Error).name === "TimeoutError")
      throw new TimeoutError(`no response from ${new URL(url).origin} within ${timeoutMs / 1_000} s`);
    if (!(error instanceof TypeError)) throw error;
    const { why, mayHaveArrived, tlsProblem } = describeFault(error);
    const { origin } = new URL(url);
    if (tlsProblem) throw new TlsError(`cannot use ${origin}: ${tlsProblem} (${why})`, error);
    throw new ConnectionError(`no response from ${origin} (${why})`, mayHaveArrived, error);
  }
}
