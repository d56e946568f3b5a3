/** Declares `wireroom sent` and `wireroom thread`. */
import { parseHandleArgument, parseSpaceArgument } from "../../input/arguments.js";
import { FOLLOW_HELP } from "../../input/pages.js";
import { threadLines } from "../../output/show/thread.js";
import { WIRE_COLUMNS, WIRE_LINE, writeWires } from "../../output/show/wire.js";
import { followWires } from "../../services/follow.js";
import { EXAMPLE_ID, wireArgument } from "../arguments.js";
import { operation } from "../operation.js";

const addSent = operation("sent.list", {
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

const addThread = operation("threads.get", {
  name: "thread",
  description: "show a thread, each reply below its parent",
  arguments: [wireArgument("id or URI of any wire in the thread")],
  page: "wires",
  brief: true,
  follow: true,
  stream: ({ session, flags, client, input }) =>
    followWires(session, flags, (options) => client.threads.listen(input.id, options)),
  help: `${FOLLOW_HELP}\n\n${WIRE_LINE}`,
  examples: [`wireroom thread ${EXAMPLE_ID} --all`, `wireroom thread ${EXAMPLE_ID} --follow --json`],
  show({ output, body: { wires } }) {
    if (output.isTerminal) for (const line of threadLines(wires, output)) output.line(line);
    else output.table(WIRE_COLUMNS, wires, "");
  },
});

export const add = [addSent, addThread];
