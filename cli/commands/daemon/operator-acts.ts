import type { Command } from "commander";
import { handleNamed, wireNamed } from "../../input/names.js";
import { oneLine } from "../../output/safe.js";
import { action } from "../action.js";

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
