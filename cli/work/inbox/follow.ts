/** New items as they come: each is written once, and acknowledged once it is written. */
import type { InboxItem, WireroomError } from "../../../sdk/src/index.js";
import { Failure, Interrupted } from "../../failure.js";
import { onInterrupt } from "../../interrupts.js";
import type { Output } from "../../output/output.js";
import { jsonText } from "../../output/safe.js";
import { INBOX_COLUMNS, inboxItemJson, inboxItemLines } from "../../output/show/inbox.js";
import { tabSeparated } from "../../output/table.js";
import type { Session } from "../../session.js";

/**
 * Follows until Ctrl-C, or until the reader closes the pipe. Only items that were written are acknowledged; the others
 * come again. An outage of the daemon is waited out.
 */
export async function follow(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const stop = new AbortController();
  let exitCode: number | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
  });
  output.endsByItself = true;
  const outage = new Outage(output);
  try {
    let isFirst = true;
    const onRetry = (error: WireroomError) => outage.noticed(error);
    for await (const item of client.inbox.listen({ signal: stop.signal, onRetry })) {
      outage.over();
      if (!(await written(output, `${isFirst ? "" : between(output)}${textOf(item, output)}`))) break;
      isFirst = false;
    }
  } catch (error) {
    if (exitCode === undefined) throw error;
    output.warn("the daemon could not be told what was shown last: it will come again");
  }
  if (exitCode !== undefined) throw new Interrupted(exitCode);
}

/** False where nobody reads any more, which is no error. */
async function written(output: Output, text: string): Promise<boolean> {
  try {
    await output.deliver(text);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return false;
    throw new Failure("FAILED", `standard output cannot be written: ${message}`, [], { cause: error });
  }
}

function textOf(item: InboxItem, output: Output): string {
  if (output.json) return `${jsonText(inboxItemJson(item))}\n`;
  if (!output.isTerminal) return `${tabSeparated(INBOX_COLUMNS, [item])}\n`;
  return `${inboxItemLines(item, output).join("\n")}\n`;
}

/** People get an empty line between two items. */
function between(output: Output): string {
  return output.isTerminal && !output.json ? "\n" : "";
}

/** Says once that the daemon is waited for, until it has answered again. */
class Outage {
  #said = false;

  constructor(private readonly output: Output) {}

  noticed(error: WireroomError): void {
    if (this.#said) return;
    this.#said = true;
    this.output.warn(`${error.message}: waiting for the daemon; Ctrl-C ends`);
  }

  over(): void {
    this.#said = false;
  }
}
