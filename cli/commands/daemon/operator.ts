import type { Command } from "commander";
import type { OperatorFlags } from "../../../daemon/operators.js";
import { assertDriver } from "../../work/daemon/driver.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addActsOfOperators } from "./operator-acts.js";
import { addDatabase } from "./settings-flags.js";

const load = () => {
  assertDriver();
  return import("../../../daemon/operators.js");
};

/**
 * `wireroom operator`: who may remove any wire and suspend any handle. Operators are made on the daemon's machine, not over
 * the API; what they do goes over the API.
 */
export function addOperatorCommand(program: Command): void {
  const operator = program
    .command("operator")
    .helpGroup(HEADINGS.daemon)
    .description("make and end operators, and act as one")
    .addHelpText(
      "after",
      `
grant, revoke and list work on the daemon's own database, also while it runs: it is found as the daemon finds it, by the same
flags and variables. remove-wire, suspend and restore work from anywhere, over the API, with the key of a handle that is an operator.

Examples:
  $ wireroom operator grant @alice
  $ wireroom operator list --data-dir ./data
  $ wireroom operator suspend @mallory --as alice`,
    );

  add(operator, "grant <handle>", "make a handle an operator; on the daemon's own machine").action(
    action<OperatorFlags>(async ({ output }, flags, handle: string) => {
      const { grantOperator } = await load();
      const done = await grantOperator(flags, handle).catch(asAnswered);
      output.result(done, () =>
        output.line(`@${done.handle} is an operator${done.changed ? " now" : " already"}`),
      );
    }),
  );
  add(operator, "revoke <handle>", "end a handle's being an operator; on the daemon's own machine").action(
    action<OperatorFlags>(async ({ output }, flags, handle: string) => {
      const { revokeOperator } = await load();
      const done = await revokeOperator(flags, handle).catch(asAnswered);
      output.result(done, () =>
        output.line(`@${done.handle} is no operator${done.changed ? " any more" : ""}`),
      );
    }),
  );
  add(operator, "list", "list the operators; on the daemon's own machine").action(
    action<OperatorFlags>(async ({ output }, flags) => {
      const { listOperators } = await load();
      const operators = await listOperators(flags);
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
  addActsOfOperators(operator);
}

/** The daemon's own flags tell where its database is. */
function add(operator: Command, name: string, description: string): Command {
  return addDatabase(operator.command(name).description(description));
}

/** What the service refuses here, it says in the words and codes in which it would answer. */
async function asAnswered(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/index.js");
  throw new WireroomError(error.message, { code: error.code });
}
