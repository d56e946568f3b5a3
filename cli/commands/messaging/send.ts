import type { Command } from "commander";
import { parseHandleArgument, parseSpaceArgument } from "../../input/arguments.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { addSendOptions, type SendFlags, sendWire } from "./send-wire.js";

/** Adds `wireroom send`, which sends a wire to a handle or a space. */
export function addSendCommand(program: Command): void {
  addSendOptions(
    program
      .command("send")
      .helpGroup(HEADINGS.agent)
      .description("send a wire (message) to a handle or a space")
      .argument("<to>", "@bob or bob for a handle, '#ops' for a space (quote it: # starts a shell comment)")
      .argument("[text]", "text of the wire, or - to read it from standard input"),
  )
    .addHelpText(
      "after",
      `
In a pipe, prints only the id of the wire. Put -- before a text that starts with a dash.

Examples:
  $ wireroom send @bob "the report is ready"
  $ wireroom send '#ops' "disk full" --payload '{"host": "db1", "free": 0}'
  $ jq '.order' order.json | \\
      wireroom send @shop --payload - --idempotency-key order-42
  $ wireroom send @bob "will it rain?" --wait-for-reply
  $ wireroom send @bob yes --reply-to 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`,
    )
    .action(
      withSession<SendFlags, [string, string | undefined]>(async (session, flags, to, text) => {
        if (to.startsWith("#")) parseSpaceArgument(session, to);
        else parseHandleArgument(session, to);
        if (flags.replyTo !== undefined) session.hintNames.wire = flags.replyTo;
        await sendWire(session, to, text, flags);
      }),
    );
}
