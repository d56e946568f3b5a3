/**
 * Declares `wireroom operator`. `grant`, `revoke` and `list` access the daemon's database, because the API
 * cannot grant the operator role. The other commands call the API.
 */
import type { Flags } from "../../../daemon/settings.js";
import { readDatabaseSettings } from "../../services/daemon/settings.js";
import { type AddCommand, command, noun } from "../command.js";
import { API_COMMANDS } from "./operator-api.js";
import { addDatabaseOptions } from "./settings-options.js";

type DatabaseFlags = Pick<Flags, "dataDir" | "databaseUrl">;

const load = () => import("../../../daemon/maintenance.js");

const addList = command<DatabaseFlags>({
  name: "list",
  description: "list the operators (on the daemon's machine)",
  options: addDatabaseOptions,
  async run(session, flags) {
    const { output } = session;
    const { databaseUrl } = await readDatabaseSettings(session, flags);
    const operators = await (await load()).listOperators(databaseUrl);
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
  },
});

export const add = noun(
  "operator",
  "grant and revoke the operator role; find handles, read and remove wires, and suspend handles",
  [
    roleChange("grant", "make a handle an operator", { changed: "now", unchanged: "already" }),
    roleChange("revoke", "revoke the operator role of a handle", { changed: "no longer", unchanged: "not" }),
    addList,
    ...API_COMMANDS,
  ],
  {
    help: `\
grant, revoke and list open the daemon's database, even while the daemon runs. Run them on the daemon's machine, with the
same flags and variables. The other commands use the API, as a handle that is an operator. Everyone whose wires an operator
reads or removes, and everyone whose handle it suspends, sees this in their audit log, with the reason if there is one.`,
    examples: [
      "wireroom operator grant @alice",
      "wireroom operator list --data-dir ./data",
      "wireroom operator wires @mallory --as @alice",
      'wireroom operator suspend @mallory --reason "floods #ops" --as @alice',
    ],
  },
);

function roleChange(
  verb: "grant" | "revoke",
  description: string,
  { changed, unchanged }: { changed: string; unchanged: string },
): AddCommand {
  return command<DatabaseFlags>({
    name: `${verb} <handle>`,
    description: `${description} (on the daemon's machine)`,
    options: addDatabaseOptions,
    async run(session, flags, handle) {
      const { output } = session;
      const { databaseUrl } = await readDatabaseSettings(session, flags);
      const { setOperator } = await load();
      const done = await setOperator(databaseUrl, handle!, verb).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? changed : unchanged} an operator`),
      );
    },
  });
}

/** Converts an error from the daemon's code, which runs in this process, to the CLI's error class. */
async function rethrowAsApiError(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/index.js");
  throw new WireroomError(error.message, { code: error.code });
}
