import { parseHandleArgument, parseSpaceArgument } from "../../input/arguments.js";
import { WIRE_LINE, writeWires } from "../../output/show/wire.js";
import { operation } from "../operation.js";

export const add = operation("sent.list", {
  name: "sent",
  description: "list the wires that the active handle sent, newest first",
  arguments: [
    {
      usage: "[to]",
      description: "only wires to @bob or '#ops'",
      fields(to: string, session) {
        if (to.startsWith("#")) parseSpaceArgument(session, to);
        else parseHandleArgument(session, to);
        return { to };
      },
    },
  ],
  options: [
    {
      flags: "--delivery <state>",
      description: "only wires to handles in this state of delivery",
      choices: ["queued", "read", "removed"],
    },
  ],
  page: "wires",
  brief: true,
  help: WIRE_LINE,
  examples: ["wireroom sent", "wireroom sent @bob --delivery queued", "wireroom sent '#ops' --limit 10"],
  show: ({ output, body }) => writeWires(output, body.wires, "nothing sent yet"),
});
