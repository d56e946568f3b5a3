/** Requests that are no operations of the contract: what the daemon publishes, and sign-up at its own provider. */
import { ConnectionError, TimeoutError } from "../../../sdk/src/index.js";
import { bodyOf } from "../../../sdk/src/runtime/transport/answer.js";

/** Milliseconds that an answer may take; hashing a password on a busy machine takes some seconds of them. */
const TIMEOUT = 30_000;

/**
 * GET, or POST where there is a `body`; gives the answer's JSON. Throws the `WireroomError` that the answer is, and
 * `ConnectionError` where there is none.
 */
export async function ask(url: string, body?: object): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { status, headers } = answer;
    return bodyOf({ status, headers, text: await answer.text() }, new URL(url).pathname);
  } catch (error) {
    if ((error as Error).name === "TimeoutError")
      throw new TimeoutError(`no answer from ${new URL(url).origin} within ${TIMEOUT / 1_000} s`);
    if (!(error instanceof TypeError)) throw error;
    const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
    throw new ConnectionError(`no answer from ${new URL(url).origin} (${code ?? message})`, true, error);
  }
}
