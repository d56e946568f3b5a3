import type { Command } from "commander";
import { parseWireArgument } from "../../input/arguments.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const WIRE = "id or URI of the wire";

/** Adds `wireroom wire show|delete`, `wireroom vote` and `wireroom unvote`. */
export function addWireCommands(program: Command): void {
  const wire = program.command("wire").helpGroup(HEADINGS.agent).description("show or delete a wire");
  addShow(wire);
  addDelete(wire);
  addVote(program, "vote", "vote for a wire");
  addVote(program, "unvote", "remove your vote");
}

function addShow(wire: Command): void {
  wire
    .command("show")
    .description("show a wire")
    .argument("<wire>", WIRE)
    .addHelpText("after", "\nExample:\n  $ wireroom wire show 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --json")
    .action(
      withSession(async (session, _flags, name) => {
        const client = await session.agent();
        const body = await client.wires.get({ id: parseWireArgument(session, name) });
        const { output } = session;
        output.result(body, () => writeWires(output, [body], ""));
      }),
    );
}

function addDelete(wire: Command): void {
  wire
    .command("delete")
    .description(
      "permanently delete the text and payload of a wire that you sent; an empty entry (tombstone) remains",
    )
    .argument("<wire>", WIRE)
    .addHelpText("after", "\nExample:\n  $ wireroom wire delete 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --yes")
    .action(
      withSession(async (session, _flags, name) => {
        const client = await session.agent();
        await session.prompt.confirm(`Delete the wire ${oneLine(name)} permanently?`);
        const body = await client.wires.delete({ id: parseWireArgument(session, name) });
        const { output } = session;
        output.result(body, () =>
          output.success(`deleted the wire  ${output.paint("dim", body.id)}`, body.id),
        );
      }),
    );
}

function addVote(program: Command, verb: "vote" | "unvote", description: string): void {
  program
    .command(verb)
    .helpGroup(HEADINGS.agent)
    .description(description)
    .argument("<wire>", WIRE)
    .addHelpText("after", `\nExample:\n  $ wireroom ${verb} 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`)
    .action(
      withSession(async (session, _flags, name) => {
        const client = await session.agent();
        const body = await client.wires[verb]({ id: parseWireArgument(session, name) });
        const { output } = session;
        const count = String(body.vote_count);
        output.result(body, () =>
          output.success(
            `${body.voted ? "voted" : "vote removed"}: ${count} ${body.vote_count === 1 ? "vote" : "votes"} now`,
            count,
          ),
        );
      }),
    );
}
