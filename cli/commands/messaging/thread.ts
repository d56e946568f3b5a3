import { FOLLOW_HELP } from "../../input/pages.js";
import { threadLines } from "../../output/show/thread.js";
import { WIRE_COLUMNS, WIRE_LINE } from "../../output/show/wire.js";
import { followWires } from "../../services/follow/wires.js";
import { wireArgument } from "../arguments.js";
import { operation } from "../operation.js";

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

export const add = operation("threads.get", {
  name: "thread",
  description: "show a thread, each reply below its parent",
  arguments: [wireArgument("id or URI of any wire in the thread")],
  page: "wires",
  brief: true,
  follow: true,
  stream: ({ session, flags, client, input }) =>
    followWires(session, flags, (options) => client.threads.listen(input.id, options)),
  help: `${FOLLOW_HELP}\n\n${WIRE_LINE}`,
  examples: [
    `wireroom thread ${ID} --all`,
    `wireroom thread ${ID} --follow --json`,
    `wireroom thread ${ID} --wait 50`,
  ],
  show({ output, body: { wires } }) {
    if (output.isTerminal) for (const line of threadLines(wires, output)) output.line(line);
    else output.table(WIRE_COLUMNS, wires, "");
  },
});
