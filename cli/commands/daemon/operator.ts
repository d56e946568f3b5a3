import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { readDatabaseSettings } from "../../services/daemon/settings.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { API_COMMANDS } from "./operator-api.js";
import { addDatabaseOptions } from "./settings-options.js";

/** The flags that locate the daemon's database. */
type DatabaseFlags = Pick<Flags, "dataDir" | "databaseUrl">;

const load = () => import("../../../daemon/operators.js");

/**
 * Adds `wireroom operator`. An operator may read and remove any wire, and suspend any handle. `grant`,
 * `revoke` and `list` access the database of the daemon, because the API cannot grant the operator role. The
 * other commands call the API.
 */
export function addOperatorCommand(program: Command): void {
  const operator = program
    .command("operator")
    .helpGroup(HEADINGS.daemon)
    .description(
      "grant and revoke the operator role; find handles, read and remove wires, and suspend handles",
    )
    .addHelpText(
      "after",
      `
grant, revoke and list open the daemon's database, even while the daemon runs. Run them on the daemon's machine, with the
same flags and variables. The other commands use the API, as a handle that is an operator. Everyone whose wires an operator
reads or removes, and everyone whose handle it suspends, sees this in their audit log, with the reason if there is one.

Examples:
  $ wireroom operator grant @alice
  $ wireroom operator list --data-dir ./data
  $ wireroom operator wires @mallory --as @alice
  $ wireroom operator suspend @mallory --reason "floods #ops" --as @alice`,
    );

  add(operator, "grant <handle>", "make a handle an operator (on the daemon's machine)").action(
    withSession<DatabaseFlags>(async (session, flags, handle: string) => {
      const { output } = session;
      const { databaseUrl } = await readDatabaseSettings(session, flags);
      const { grantOperator } = await load();
      const done = await grantOperator(databaseUrl, handle).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? "now" : "already"} an operator`),
      );
    }),
  );
  add(operator, "revoke <handle>", "revoke the operator role of a handle (on the daemon's machine)").action(
    withSession<DatabaseFlags>(async (session, flags, handle: string) => {
      const { output } = session;
      const { databaseUrl } = await readDatabaseSettings(session, flags);
      const { revokeOperator } = await load();
      const done = await revokeOperator(databaseUrl, handle).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? "no longer" : "not"} an operator`),
      );
    }),
  );
  add(operator, "list", "list the operators (on the daemon's machine)").action(
    withSession<DatabaseFlags>(async (session, flags) => {
      const { output } = session;
      const { databaseUrl } = await readDatabaseSettings(session, flags);
      const { listOperators } = await load();
      const operators = await listOperators(databaseUrl);
      output.result({ operators }, () =>
        output.table(
          [
            { title: "handle", cell: ({ handle }) => `@${handle}` },
            { title: "since", cell: ({ since }) => output.time(since) },
          ],
          operators,
          "no operators",
        ),
      );
    }),
  );
  for (const add of API_COMMANDS) add(operator);
}

/** Adds a subcommand with the options that locate the daemon's database. */
function add(operator: Command, name: string, description: string): Command {
  return addDatabaseOptions(operator.command(name).description(description));
}

/**
 * Converts an error of the daemon's code, which runs in this process, to an SDK error, which the CLI can
 * format.
 */
async function rethrowAsApiError(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/index.js");
  throw new WireroomError(error.message, { code: error.code });
}
