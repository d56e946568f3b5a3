/** `wireroom call`: any operation of the contract by its name. */
import { OPERATIONS } from "../../../sdk/src/operations.js";
import { type RetryFlags, withRetry } from "../../input/retry.js";
import { jsonText } from "../../output/safe.js";
import { jsonLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { findOperation } from "./find.js";
import { inputOf, parseFlags } from "./input.js";
import { OPERATION_COLUMNS, operationHelp } from "./show.js";

export interface CallFlags extends RetryFlags {
  input?: string;
  idempotencyKey?: string;
}

export function listOperations({ output }: Session): void {
  output.result(OPERATIONS, () => {
    output.table(OPERATION_COLUMNS, OPERATIONS, "no operations");
    output.next("wireroom call wires.send --help");
  });
}

export async function explainOperation(session: Session, name: string): Promise<void> {
  const operation = await findOperation(session, name);
  const { output } = session;
  output.result(operation, () => output.raw(operationHelp(operation, output.width)));
}

/** @param words what follows the operation: its fields */
export async function callOperation(
  session: Session,
  name: string,
  words: readonly string[],
  flags: CallFlags,
): Promise<void> {
  const operation = await findOperation(session, name);
  const given = parseFlags(words);
  const input = await inputOf(operation, given, flags.input, session.surroundings.stdin);
  const client = await (operation.auth === "key" ? session.agent() : session.dashboard());
  const { output } = session;
  if (operation.lines) {
    for await (const line of client.lines(operation, input)) await output.deliver(`${jsonText(line)}\n`);
    return;
  }
  const { idempotencyKey } = flags;
  const body = await withRetry(session, flags, () => client.call(operation, input, { idempotencyKey }));
  output.result(body, () => {
    for (const line of jsonLines(body)) output.line(line);
  });
}
