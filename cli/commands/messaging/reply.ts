import { Failure } from "../../failure.js";
import { parseWireArgument } from "../../input/arguments.js";
import { replyAddress } from "../../output/show/wire.js";
import { command } from "../command.js";
import { addClaimOptions, addSendOptions, SEND_HELP, type SendFlags, sendWire } from "./send-wire.js";

export const add = command<Omit<SendFlags, "replyTo">, [string, string | undefined]>({
  name: "reply",
  description: "reply to a wire, in its space or to the other handle of a DM",
  arguments: [
    { usage: "<wire>", description: "id or URI of the wire to reply to" },
    { usage: "[text]", description: "text of the reply, or - to read it from standard input" },
  ],
  options: (command) => addClaimOptions(addSendOptions(command)),
  help: SEND_HELP,
  examples: [
    'wireroom reply 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f "the report is ready"',
    `wireroom reply 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --payload '{"days": 3}'`,
    'wireroom reply "$id" "it is done" --claim-token "$token" --done',
  ],
  run: async (session, flags, name, text) => {
    if (flags.done && flags.claimToken === undefined)
      throw new Failure("USAGE", "--done needs --claim-token TOKEN, which wireroom wire claim prints");
    const { wires, profile } = await session.agent();
    const wire = await wires.get({ id: parseWireArgument(session, name) });
    const { slug } = await profile.get();
    await sendWire(session, replyAddress(wire, slug), text, { ...flags, replyTo: wire.id });
  },
});
