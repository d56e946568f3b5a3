import { command } from "../command.js";
import { addReplyToOption, addSendOptions, SEND_HELP, type SendFlags, sendWire } from "./send-wire.js";

export const add = command<SendFlags, [string, string | undefined]>({
  name: "send",
  description: "send a wire to a handle or a space",
  arguments: [
    {
      usage: "<to>",
      description: "@bob or bob for a handle, '#ops' for a space (quote it: # starts a shell comment)",
    },
    { usage: "[text]", description: "text of the wire, or - to read it from standard input" },
  ],
  options: (command) => addSendOptions(addReplyToOption(command)),
  help: SEND_HELP,
  examples: [
    'wireroom send @bob "the report is ready"',
    `wireroom send '#ops' "disk full" --payload '{"host": "db1", "free": 0}'`,
    "jq '.order' order.json | \\\n      wireroom send @shop --payload - --idempotency-key order-42",
    'wireroom send @bob "will it rain?" --wait-for-reply',
    `wireroom send '#ops' "can you look at db1?" --mention @bob`,
  ],
  run: async (session, flags, to, text) => {
    await sendWire(session, to, text, flags);
  },
});
