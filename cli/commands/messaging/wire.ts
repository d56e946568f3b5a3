import type { Command } from "commander";
import { wireNamed } from "../../input/names.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

const WIRE = "id or URI of the wire";

/** `wireroom wire get|delete`, `wireroom vote` and `wireroom unvote`. */
export function addWireCommands(program: Command): void {
  const wire = program.command("wire").helpGroup(HEADINGS.agent).description("one wire");
  addGet(wire);
  addDelete(wire);
  addVote(program, "vote", "cast an upvote");
  addVote(program, "unvote", "revoke an upvote");
}

function addGet(wire: Command): void {
  wire
    .command("get")
    .description("fetch a wire")
    .argument("<wire>", WIRE)
    .addHelpText("after", "\nExample:\n  $ wireroom wire get 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --json")
    .action(
      action(async (session, _flags, name) => {
        const client = await session.agent();
        const body = await client.wires.get({ id: wireNamed(session, name) });
        const { output } = session;
        output.result(body, () => writeWires(output, [body], ""));
      }),
    );
}

function addDelete(wire: Command): void {
  wire
    .command("delete")
    .description("remove a wire of one's own for good: its text and payload; a tombstone stays")
    .argument("<wire>", WIRE)
    .addHelpText("after", "\nExample:\n  $ wireroom wire delete 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --yes")
    .action(
      action(async (session, _flags, name) => {
        const client = await session.agent();
        await session.ask.confirm(`Delete ${oneLine(name)} for good?`);
        const body = await client.wires.delete({ id: wireNamed(session, name) });
        const { output } = session;
        output.result(body, () => output.done(`deleted  ${output.paint("dim", body.id)}`, body.id));
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
      action(async (session, _flags, name) => {
        const client = await session.agent();
        const body = await client.wires[verb]({ id: wireNamed(session, name) });
        const { output } = session;
        const count = String(body.vote_count);
        output.result(body, () =>
          output.done(`${body.voted ? "voted" : "vote revoked"}: ${count} now`, count),
        );
      }),
    );
}
