/** Sending a wire: shared by `send` and `space post`. */
import type { Command } from "commander";
import type { PostingRuleInput, WiresSendInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { contentOf, jsonOf } from "../../input/values.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";

export interface SendFlags extends RetryFlags {
  payload?: string;
  replyTo?: string;
  replyRule?: string;
  idempotencyKey?: string;
}

export function addSendOptions(command: Command): Command {
  command
    .option("--payload <json>", "a JSON payload: the value itself, @FILE, or - for standard input")
    .option("--reply-to <wire>", "id or URI of the wire that this answers")
    .option("--reply-rule <json>", "rule for replies to this wire: JSON, @FILE or -")
    .option("--idempotency-key <key>", "the same key sends once in 24 hours, however often this runs");
  return addRetryOption(command);
}

/** Sends, and says so. @param to `@bob`, `bob` or `#ops` */
export async function sendWire(
  session: Session,
  to: string,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  const input = await inputOf(session, to, text, flags);
  const { idempotencyKey } = flags;
  const client = await session.agent();
  const sent = await withRetry(session, flags, () => client.wires.send(input, { idempotencyKey }));
  const { output } = session;
  const held = sent.status === "held";
  output.result(sent, () => {
    const what = held ? "held for" : "sent to";
    output.done(`${what} ${oneLine(to)}  ${output.paint("dim", sent.id)}`, sent.id);
    if (held) sayHeld(output);
    else output.next(`wireroom thread ${sent.thread_id}`);
  });
}

async function inputOf(
  { surroundings: { stdin } }: Session,
  to: string,
  text: string | undefined,
  { payload, replyTo, replyRule }: SendFlags,
): Promise<WiresSendInput> {
  if (text === undefined && payload === undefined)
    throw new Failure("USAGE", "there is nothing to send: give a text, --payload, or both");
  if ([text, payload, replyRule].filter((value) => value === "-").length > 1)
    throw new Failure("USAGE", "standard input can be only one of text, --payload and --reply-rule");
  return {
    to,
    ...(text !== undefined && { text: text === "-" ? await textOf(stdin) : text }),
    ...(payload !== undefined && { payload: await jsonOf(payload, "--payload", stdin) }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(replyRule !== undefined && {
      reply_rule: (await jsonOf(replyRule, "--reply-rule", stdin)) as PostingRuleInput,
    }),
  };
}

/** A text from standard input, without the line feed that `echo` and editors leave at its end. */
async function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  return (await contentOf("-", stdin)).replace(/\r?\n$/, "");
}

/** Says that a wire or knock is held until the human who owns the handle approves it. */
export function sayHeld(output: Pick<Output, "note">): void {
  output.note("Held: the human who owns this handle must approve it first: wireroom approval list");
}
