/** Prints new items as they arrive, from the inbox, a thread or a space. */

import type { ListenOptions, WireroomError } from "../../../sdk/src/index.js";
import { Failure, Interrupted } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { type Column, tabSeparated } from "../../output/table.js";
import { outputErrorMessage } from "../../process-io.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { Outage } from "../inbox/outage.js";

/** The `listen` options that this module sets. */
type Listening = Required<Pick<ListenOptions, "onRead" | "onRetry">> & { signal: AbortSignal };

interface Log<Item> {
  listen(options: Listening): AsyncIterable<Item>;
  /** Formats an item for `--json`. `columns` formats it for a pipe, and `lines` for a terminal. */
  json(item: Item): unknown;
  operation: string;
  columns: readonly Column<Item>[];
  lines(item: Item): string[];
  /** Called after an item is printed. Resolves to false to stop before the next item. Default: true. */
  mayContinue?: () => Promise<boolean>;
  /** Warning to print if listening ends with an error after Ctrl-C. */
  leaveWarning?: string;
}

/** Prints the items until Ctrl-C or until the pipe is closed. Retries while the daemon is unreachable. */
export async function followItems<Item>(session: Session, log: Log<Item>): Promise<void> {
  const { output } = session;
  const stop = new AbortController();
  let exitCode: number | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
  });
  output.handlesOutputErrors = true;
  const outage = new Outage(await session.url(), (text) => output.warn(text));
  try {
    let isFirst = true;
    const onRetry = (error: WireroomError) => outage.report(error);
    const onRead = () => outage.end();
    for await (const item of log.listen({ signal: stop.signal, onRetry, onRead })) {
      const text = textOf(item, log, output);
      if (!(await writeItem(output, isFirst ? text : `${itemSeparator(output)}${text}`))) break;
      isFirst = false;
      if (log.mayContinue && !(await log.mayContinue())) break;
    }
  } catch (error) {
    if (exitCode === undefined) throw error;
    if (log.leaveWarning) output.warn(log.leaveWarning);
  } finally {
    stop.abort();
  }
  if (exitCode !== undefined) throw new Interrupted(exitCode);
}

async function writeItem(output: Output, text: string): Promise<boolean> {
  try {
    await output.writeAndWait(text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return false;
    throw new Failure("FAILED", outputErrorMessage(error as Error), [], { cause: error });
  }
}

function textOf<Item>(item: Item, { json, operation, columns, lines }: Log<Item>, output: Output): string {
  if (output.json) return output.jsonLine(json(item), { operation });
  if (!output.isTerminal) return `${tabSeparated(columns, [item])}\n`;
  return `${lines(item).join("\n")}\n`;
}

function itemSeparator(output: Output): string {
  return output.isTerminal && !output.json ? "\n" : "";
}
