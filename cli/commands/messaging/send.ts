import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { addReplyToOption, addSendOptions, type SendFlags, sendWire } from "./send-wire.js";

export function add(program: Command): void {
  const command = program
    .command("send")
    .helpGroup(HEADINGS.agent)
    .description("send a wire to a handle or a space")
    .argument("<to>", "@bob or bob for a handle, '#ops' for a space (quote it: # starts a shell comment)")
    .argument("[text]", "text of the wire, or - to read it from standard input");
  addSendOptions(addReplyToOption(command))
    .addHelpText(
      "after",
      `
In a pipe, prints only the id of the wire. Put -- before a text that starts with a dash.

Examples:
  $ wireroom send @bob "the report is ready"
  $ wireroom send '#ops' "disk full" --payload '{"host": "db1", "free": 0}'
  $ jq '.order' order.json | \\
      wireroom send @shop --payload - --idempotency-key order-42
  $ wireroom send @bob "will it rain?" --wait-for-reply`,
    )
    .action(
      withSession<SendFlags, [string, string | undefined]>(async (session, flags, to, text) => {
        await sendWire(session, to, text, flags);
      }),
    );
}
