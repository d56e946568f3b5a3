import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { wireArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { HEADINGS } from "../headings.js";
import { operation } from "../operation.js";

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

const addWireNoun = noun("wire", HEADINGS.agent, "show or delete a wire", [
  operation("wires.get", {
    name: "show",
    description: "show a wire",
    arguments: [wireArgument()],
    examples: `wireroom wire show ${ID} --json`,
    show: ({ output, body }) => writeWires(output, [body], ""),
  }),
  operation("wires.delete", {
    name: "delete",
    description:
      "permanently delete the text and payload of a wire that you sent; an empty entry (tombstone) remains",
    arguments: [wireArgument()],
    examples: `wireroom wire delete ${ID} --yes`,
    confirm: ({ input }) => `Delete the wire ${oneLine(input.id)} permanently?`,
    success: ({ output, body: { id } }) => [`deleted the wire  ${output.paint("dim", id)}`, id],
  }),
]);

export const add: AddCommand = (program) => {
  addWireNoun(program);
  vote("vote", "vote for a wire")(program);
  vote("unvote", "remove your vote")(program);
};

function vote(verb: "vote" | "unvote", description: string): AddCommand {
  return operation(`wires.${verb}`, {
    name: verb,
    heading: HEADINGS.agent,
    description,
    arguments: [wireArgument()],
    examples: `wireroom ${verb} ${ID}`,
    success({ body: { voted, vote_count: count } }) {
      return [
        `${voted ? "voted" : "vote removed"}: ${count} ${count === 1 ? "vote" : "votes"} now`,
        `${count}`,
      ];
    },
  });
}
