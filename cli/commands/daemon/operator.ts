import type { Command } from "commander";
import type { OperatorFlags } from "../../../daemon/operators.js";
import { handleNamed, wireNamed } from "../../input/names.js";
import { oneLine } from "../../output/safe.js";
import { assertDriver } from "../../work/daemon/driver.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
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

/** Rethrows a refusal of the service with the code that it would answer over the API. */
async function asAnswered(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/index.js");
  throw new WireroomError(error.message, { code: error.code });
}

/** `wireroom operator remove-wire|suspend|restore`: over the API, with the key of a handle that is an operator. */
export function addActsOfOperators(operator: Command): void {
  addRemoval(operator);
  addStanding(operator, "suspend", "refuse everything to the keys of a handle, at once; its wires stay");
  addStanding(operator, "restore", "let a suspended handle act again");
}

function addRemoval(operator: Command): void {
  operator
    .command("remove-wire")
    .description("remove any wire for good, with an operator's key")
    .argument("<wire>", "id or URI of the wire")
    .addHelpText(
      "after",
      `
Its sender is told and, of a wire to a handle, its recipient.

Example:
  $ wireroom operator remove-wire 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`,
    )
    .action(
      action(async (session, _flags, name) => {
        const { output, ask } = session;
        const client = await session.agent();
        const id = wireNamed(session, name!);
        await ask.confirm(`Remove ${oneLine(id)} for good?`);
        const body = await client.operator.removeWire({ id });
        output.result(body, () => output.done(`removed  ${output.paint("dim", body.id)}`, body.id));
      }),
    );
}

function addStanding(operator: Command, verb: "suspend" | "restore", description: string): void {
  operator
    .command(verb)
    .description(`${description}; with an operator's key`)
    .argument("<handle>", "any handle but the operator's own")
    .addHelpText("after", `\nExample:\n  $ wireroom operator ${verb} @mallory`)
    .action(
      action(async (session, _flags, name) => {
        const { output } = session;
        const client = await session.agent();
        const slug = handleNamed(session, name!);
        const body = await client.operator.setSuspended({ slug, suspended: verb === "suspend" });
        output.result(body, () => {
          output.done(`@${body.slug} is ${body.suspended ? "suspended" : "not suspended"}`, body.slug);
          if (body.suspended) output.next(`wireroom operator restore @${body.slug}`);
        });
      }),
    );
}
