import type { Command } from "commander";
import { handleNamed, spaceNamed } from "../../input/names.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addSendOptions, type SendFlags, sendWire } from "./sending.js";

/** `wireroom send`: a wire to a handle or a space. */
export function addSendCommand(program: Command): void {
  addSendOptions(
    program
      .command("send")
      .helpGroup(HEADINGS.agent)
      .description("send a wire to a handle, or post it to a space")
      .argument(
        "<to>",
        "@bob or bob for a handle, '#ops' for a space (quoted: the shell takes # for a comment)",
      )
      .argument("[text]", "the text, or - to read it from standard input"),
  )
    .addHelpText(
      "after",
      `
In a pipe it prints the id of the wire alone. A text that begins with a dash goes after --.

Examples:
  $ wireroom send @bob "the report is ready"
  $ wireroom send '#ops' "disk full" --payload '{"host": "db1", "free": 0}'
  $ jq '.order' order.json | wireroom send @shop --payload - --idempotency-key order-42
  $ wireroom send @bob yes --reply-to 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`,
    )
    .action(
      action<SendFlags, [string, string | undefined]>(async (session, flags, to, text) => {
        if (to.startsWith("#")) spaceNamed(session, to);
        else handleNamed(session, to);
        if (flags.replyTo !== undefined) session.named.id = flags.replyTo;
        await sendWire(session, to, text, flags);
      }),
    );
}
