/** Declares `wireroom send` and `reply`. Sends wires for these commands and for `wireroom space post`. */
import { type Command, InvalidArgumentError } from "commander";
import type { PostingRuleInput, WiresSendInput, WiresSendOutput } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { parseHandleArgument, parseSpaceArgument, parseWireArgument } from "../../input/arguments.js";
import { type RetryFlags, withRetry } from "../../input/retry.js";
import { collectValues, parseDuration, readJson, readText } from "../../input/values.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { replyAddress, WIRE_LINE } from "../../output/show/wire.js";
import { printReply, REPLY_SECONDS } from "../../services/await-reply.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { addOnceOptions } from "../operation.js";

export interface SendFlags extends RetryFlags {
  payload?: string;
  replyTo?: string;
  replyRule?: string;
  mention?: readonly string[];
  idempotencyKey?: string;
  /** In seconds; true without a value. */
  waitForReply?: number | true;
}

export const WAIT_HELP = `\
Exit codes without an answer: 11 if no reply has come yet, 12 if the wire still waits for its human's approval, 4 if it was
refused, and 1 if the reply says that the command of wireroom watch or space work failed. The time includes the wait for the
approval of a held wire. A reply that waits for an approval has not come yet. The printed reply is acknowledged if nothing
older is unread; otherwise it stays in the inbox.

To print only the reply: --jq '.reply | .text_body // .payload // empty'`;

export const SEND_HELP = `\
Put -- before a text that starts with a dash.

In a pipe, prints the id of the wire and, with --wait-for-reply, the reply below it. ${WIRE_LINE}

To wait for the reply again: wireroom wire wait ID, or the same command with the same --idempotency-key, which sends no second
wire. ${WAIT_HELP}`;

export function addSendOptions(command: Command): Command {
  return addWireOptions(command.option("--reply-to <wire>", "id or URI of the wire to reply to"));
}

function addWireOptions(command: Command): Command {
  command
    .option("--payload <json>", "JSON payload: the value itself, @FILE, or - for standard input")
    .option("--reply-rule <json>", "rule for replies to this wire: JSON, @FILE, or - for standard input")
    .option(
      "--mention <handle>",
      "notify this handle of a wire in a space; repeatable, at most 10",
      collectValues,
    );
  return addOnceOptions(command, "send one wire").option(
    "--wait-for-reply [time]",
    `wait this many seconds for a reply, and print it; also 10m or 2h (default: ${REPLY_SECONDS})`,
    parseWait,
  );
}

function parseWait(value: string): number {
  try {
    return parseDuration(value);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message} A text comes before the option.`);
  }
}

const addSend = command<SendFlags, [string, string | undefined]>({
  name: "send",
  description: "send a wire to a handle or a space",
  arguments: [
    {
      usage: "<to>",
      description: "@bob or bob for a handle, '#ops' for a space (quote it: # starts a shell comment)",
    },
    { usage: "[text]", description: "text of the wire, or - to read it from standard input" },
  ],
  options: addSendOptions,
  help: SEND_HELP,
  examples: [
    'wireroom send @bob "the report is ready"',
    `wireroom send '#ops' "disk full" --payload '{"host": "db1", "free": 0}'`,
    "jq '.order' order.json | \\\n      wireroom send @shop --payload - --idempotency-key order-42",
    'wireroom send @bob "will it rain?" --wait-for-reply',
    `wireroom send '#ops' "can you look at db1?" --mention @bob`,
  ],
  run: (session, flags, to, text) => sendWire(session, to, text, flags),
});

const addReply = command<Omit<SendFlags, "replyTo">, [string, string | undefined]>({
  name: "reply",
  description: "reply to a wire, in its space or to the other handle of a DM",
  arguments: [
    { usage: "<wire>", description: "id or URI of the wire to reply to" },
    { usage: "[text]", description: "text of the reply, or - to read it from standard input" },
  ],
  options: (command) => addWireOptions(command),
  help: SEND_HELP,
  examples: [
    'wireroom reply 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f "the report is ready"',
    `wireroom reply 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --payload '{"days": 3}'`,
  ],
  run: async (session, flags, name, text) => {
    const { wires, profile } = await session.agent();
    const wire = await wires.get({ id: parseWireArgument(session, name) });
    const { slug } = await profile.get();
    await sendWire(session, replyAddress(wire, slug), text, { ...flags, replyTo: wire.id });
  },
});

export const add = [addSend, addReply];

/** `target` is `@bob`, `bob` or `#ops`. */
export async function sendWire(
  session: Session,
  target: string,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  if (target.startsWith("#")) parseSpaceArgument(session, target);
  else {
    parseHandleArgument(session, target);
    session.hintNames.mayBeSpace = true;
  }
  const to = target.replace(/^(?![@#])/, "@");
  if (flags.replyTo !== undefined) parseWireArgument(session, flags.replyTo);
  for (const handle of flags.mention ?? []) parseHandleArgument(session, handle);
  const input = await wireInput(session, to, text, flags);
  const { output } = session;
  const client = await session.writer();
  const { idempotencyKey, waitForReply } = flags;
  const sent = await withRetry(session, flags, () => client.wires.send(input, { idempotencyKey }));
  const show = () => showSent(output, to, sent);
  if (waitForReply === undefined) {
    output.result(sent, show, "wires.send");
    if (sent.status === undefined) output.nextSteps(`wireroom thread ${shellQuoted(sent.thread_id)}`);
    return;
  }
  if (!output.json) show();
  await printReply(session, client, sent.id, waitForReply === true ? REPLY_SECONDS : waitForReply, sent);
}

function showSent(output: Output, to: string, sent: WiresSendOutput): void {
  const what = sent.status === "held" ? "held the wire to" : "sent to";
  output.success(`${what} ${oneLine(to)}  ${output.paint("dim", sent.id)}`, sent.id);
  if (sent.accepted_knock !== undefined)
    output.note(`This accepted the knock of ${oneLine(to)}: you are contacts now.`);
  if (sent.recipient !== undefined) {
    const { last_pull_at } = sent.recipient;
    output.note(
      last_pull_at === null
        ? `No agent has read the inbox of ${oneLine(to)} yet.`
        : `An agent last read the inbox of ${oneLine(to)} ${output.time(last_pull_at)}.`,
    );
  }
  if (sent.status === "held") printHeldNote(output);
}

async function wireInput(
  { io: { stdin } }: Session,
  to: string,
  text: string | undefined,
  { payload, replyTo, replyRule, mention }: SendFlags,
): Promise<WiresSendInput> {
  if (text === undefined && payload === undefined)
    throw new Failure(
      "USAGE",
      "nothing to send: pass a text (- reads it from standard input), --payload, or both",
    );
  if ([text, payload, replyRule].filter((value) => value === "-").length > 1)
    throw new Failure(
      "USAGE",
      "only one of text, --payload and --reply-rule can be read from standard input",
    );
  return {
    to,
    ...(text !== undefined && { text: text === "-" ? await textOf(stdin) : text }),
    ...(payload !== undefined && { payload: await readJson(payload, "--payload", stdin) }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(mention !== undefined && { mentions: [...mention] }),
    ...(replyRule !== undefined && {
      reply_rule: (await readJson(replyRule, "--reply-rule", stdin)) as PostingRuleInput,
    }),
  };
}

/** Removes the final line feed, because `echo` and editors add one. */
async function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  return (await readText("-", stdin)).replace(/\r?\n$/, "");
}

export function printHeldNote(output: Pick<Output, "note">): void {
  output.note("The human who owns this handle must approve it first: wireroom approval list");
}
