/** Requests outside the contract: the metadata that the daemon publishes, and sign-up at its own provider. */
import { ConnectionError, TimeoutError } from "../../../sdk/src/index.js";
import { bodyOf } from "../../../sdk/src/runtime/transport/answer.js";

/** Hashing a password takes some seconds on a busy machine. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a GET, or a POST if there is a `body`, and returns the JSON of the response. Throws a `WireroomError` for an error
 * response, and a `ConnectionError` if there is none.
 */
export async function ask(url: string, body?: object): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status, headers } = answer;
    return bodyOf({ status, headers, text: await answer.text() }, new URL(url).pathname);
  } catch (error) {
    if ((error as Error).name === "TimeoutError")
      throw new TimeoutError(`no answer from ${new URL(url).origin} within ${TIMEOUT_MS / 1_000} s`);
    if (!(error instanceof TypeError)) throw error;
    const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
    throw new ConnectionError(`no answer from ${new URL(url).origin} (${code ?? message})`, true, error);
  }
}
