import type { Command } from "commander";
import type { OperatorFlags } from "../../../daemon/operators.js";
import { parseHandleArgument, parseWireArgument } from "../../input/arguments.js";
import { oneLine } from "../../output/safe.js";
import { assertDriver } from "../../services/daemon/driver.js";
import { namedDataDir } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { addDatabaseOptions } from "./settings-options.js";

const load = () => {
  assertDriver();
  return import("../../../daemon/operators.js");
};

/**
 * Adds `wireroom operator`. An operator may remove any wire and suspend any handle. `grant`, `revoke` and `list` access
 * the database of the daemon, because the API cannot appoint operators. The other commands call the API.
 */
export function addOperatorCommand(program: Command): void {
  const operator = program
    .command("operator")
    .helpGroup(HEADINGS.daemon)
    .description("appoint operators, remove wires and suspend handles")
    .addHelpText(
      "after",
      `
grant, revoke and list open the daemon's database, even while the daemon runs. Run them on the daemon's machine, with the
same flags and variables. remove-wire, suspend and restore use the API, with the API key of a handle that is an operator.

Examples:
  $ wireroom operator grant @alice
  $ wireroom operator list --data-dir ./data
  $ wireroom operator suspend @mallory --as alice`,
    );

  add(operator, "grant <handle>", "make a handle an operator (on the daemon's machine)").action(
    withSession<OperatorFlags>(async (session, flags, handle: string) => {
      const { output } = session;
      const { grantOperator } = await load();
      const done = await grantOperator(await withProfile(session, flags), handle).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? "now" : "already"} an operator`),
      );
    }),
  );
  add(operator, "revoke <handle>", "withdraw operator rights from a handle (on the daemon's machine)").action(
    withSession<OperatorFlags>(async (session, flags, handle: string) => {
      const { output } = session;
      const { revokeOperator } = await load();
      const done = await revokeOperator(await withProfile(session, flags), handle).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? "no longer" : "not"} an operator`),
      );
    }),
  );
  add(operator, "list", "list the operators (on the daemon's machine)").action(
    withSession<OperatorFlags>(async (session, flags) => {
      const { output } = session;
      const { listOperators } = await load();
      const operators = await listOperators(await withProfile(session, flags));
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
  addModerationCommands(operator);
}

/** Returns the flags with the data folder of the profile, if neither a flag nor a variable names one. */
async function withProfile(session: Session, flags: OperatorFlags): Promise<OperatorFlags> {
  return { ...flags, dataDir: await namedDataDir(session, flags) };
}

/** Adds a subcommand with the options that locate the daemon's database. */
function add(operator: Command, name: string, description: string): Command {
  return addDatabaseOptions(operator.command(name).description(description));
}

/** Converts an error of the daemon's code, which runs in this process, to an SDK error, which the CLI can format. */
async function rethrowAsApiError(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/index.js");
  throw new WireroomError(error.message, { code: error.code });
}

/** Adds `remove-wire`, `suspend` and `restore`, which call the API with the key of an operator. */
export function addModerationCommands(operator: Command): void {
  addRemoveWireCommand(operator);
  addSuspensionCommand(
    operator,
    "suspend",
    "suspend a handle: reject every request made with its API keys; its wires are kept",
  );
  addSuspensionCommand(operator, "restore", "end the suspension of a handle");
}

function addRemoveWireCommand(operator: Command): void {
  operator
    .command("remove-wire")
    .description("remove any wire permanently, with an operator's key")
    .argument("<wire>", "id or URI of the wire")
    .addHelpText(
      "after",
      `
The sender gets a notice, and so does the recipient of a wire to a handle.

Example:
  $ wireroom operator remove-wire 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`,
    )
    .action(
      withSession(async (session, _flags, name) => {
        const { output, prompt } = session;
        const client = await session.agent();
        const id = parseWireArgument(session, name!);
        await prompt.confirm(`Remove the wire ${oneLine(id)} permanently?`);
        const body = await client.operator.removeWire({ id });
        output.result(body, () =>
          output.success(`removed the wire  ${output.paint("dim", body.id)}`, body.id),
        );
      }),
    );
}

function addSuspensionCommand(operator: Command, verb: "suspend" | "restore", description: string): void {
  operator
    .command(verb)
    .description(`${description} (needs the API key of an operator)`)
    .argument("<handle>", "any handle except the operator's own")
    .addHelpText("after", `\nExample:\n  $ wireroom operator ${verb} @mallory`)
    .action(
      withSession(async (session, _flags, name) => {
        const { output } = session;
        const client = await session.agent();
        const slug = parseHandleArgument(session, name!);
        const body = await client.operator.setSuspended({ slug, suspended: verb === "suspend" });
        output.result(body, () => {
          output.success(
            `@${body.slug} is ${body.suspended ? "suspended" : "no longer suspended"}`,
            body.slug,
          );
          if (body.suspended) output.nextSteps(`wireroom operator restore @${body.slug}`);
        });
      }),
    );
}
