import { similarHint } from "../../../daemon/closest-word.js";
import { type CatalogueEntry, OPERATIONS } from "../../../sdk/src/operations.js";
import { Failure } from "../../failure.js";
import { type RetryFlags, withRetry } from "../../input/retry.js";
import { jsonLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { OPERATION_COLUMNS, operationHelp } from "./help.js";
import { operationInput, parseFieldFlags } from "./input.js";

export interface CallFlags extends RetryFlags {
  input?: string;
  idempotencyKey?: string;
}

export function listOperations({ output }: Session): void {
  output.result(OPERATIONS, () => {
    output.table(OPERATION_COLUMNS, OPERATIONS, "no operations");
    output.nextSteps("wireroom call wires.send --help");
  });
}

export function printOperationHelp({ output }: Session, name: string): void {
  const operation = findOperation(name);
  output.result(operation, () => output.write(operationHelp(operation, output.width)));
}

export async function callOperation(
  session: Session,
  name: string,
  words: readonly string[],
  flags: CallFlags,
): Promise<void> {
  const operation = findOperation(name);
  const fieldFlags = parseFieldFlags(words);
  const input = await operationInput(operation, fieldFlags, flags.input, session.io.stdin);
  const client = await session.clientFor(operation);
  const { output } = session;
  if (operation.lines) {
    for await (const line of client.lines(operation, input))
      await output.writeAndWait(output.jsonLine(line, { operation: operation.id }));
    return;
  }
  // Check the output fields before the call, because the result contains a secret that is returned only once.
  if (operation.once) output.checkFields({ operation: operation.id });
  const { idempotencyKey } = flags;
  const body = await withRetry(session, flags, () => client.call(operation, input, { idempotencyKey }));
  output.result(body, () => output.line(jsonLines(body).join("\n")), operation.id);
}

function findOperation(name: string): CatalogueEntry {
  const found = OPERATIONS.find(({ id }) => id === name);
  if (found) return found;
  const ids = OPERATIONS.map(({ id }) => id);
  throw new Failure("USAGE", `there is no operation ${JSON.stringify(name)}`, [
    ...similarHint(name, ids),
    "List the operations: wireroom call --list",
  ]);
}
