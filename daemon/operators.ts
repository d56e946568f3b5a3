/**
 * `wireroom operator`: on the daemon's own machine, whether the daemon runs or not (decisions, section 9). It writes to the
 * database beside the daemon: one short transaction, which both wait for, as two connections of one daemon would. The lock
 * that keeps a second daemon away is not touched, so neither can lock the other out.
 */

import { openStoreBeside } from "../src/service/host/store.js";
import { changeOperator, operators } from "../src/service/operator/operators.js";
import { type Flags, readSettings } from "./settings.js";

/** Where the daemon's database is: the daemon's own flags and variables. */
export type OperatorFlags = Pick<Flags, "dataDir" | "databaseUrl">;

/** All operators. Throws an `Error` whose message says what to do. */
export function listOperators(flags: OperatorFlags) {
  return beside(flags, operators);
}

/** Makes a handle an operator. Throws where there is no such handle. */
export function grantOperator(flags: OperatorFlags, handle: string) {
  return beside(flags, (engine) => changeOperator(engine, handle, "grant"));
}

/** Ends it. */
export function revokeOperator(flags: OperatorFlags, handle: string) {
  return beside(flags, (engine) => changeOperator(engine, handle, "revoke"));
}

type Engine = Awaited<ReturnType<typeof openStoreBeside>>;

async function beside<Result>(
  flags: OperatorFlags,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await openStoreBeside(readSettings(flags, process.env).databaseUrl);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
