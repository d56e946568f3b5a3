/** Sends a wire, for `wireroom send`, `wireroom reply` and `wireroom space post`. */

import type { Command } from "commander";
import type {
  AskOptions,
  PostingRuleInput,
  SentWire,
  Wireroom,
  WiresSendInput,
  WiresSendOutput,
} from "../../../sdk/src/index.js";
import { monotonicMs, randomHexName } from "../../clock.js";
import { EXIT, type ExitCode } from "../../exit-codes.js";
import { Failure, Interrupted } from "../../failure.js";
import { parseHandleArgument, parseSpaceArgument, parseWireArgument } from "../../input/arguments.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { integerBetween, parseIdempotencyKey, readJson, readText } from "../../input/values.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { UNSENT, WIRE_LINE, writeWires } from "../../output/show/wire.js";
import { described } from "../../output/text.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";

const REPLY_SECONDS = 50;

export interface SendFlags extends RetryFlags {
  payload?: string;
  replyTo?: string;
  replyRule?: string;
  idempotencyKey?: string;
  /** True without a number of seconds. */
  waitForReply?: number | true;
}

export const SEND_HELP = `\
Put -- before a text that starts with a dash.

With --wait-for-reply, the exit code is 0 with a reply, 11 if none has come yet, 12 if the wire still waits for its human's
approval, and 4 if it was refused. A held wire is waited for within the same time: first its approval, then the reply.

In a pipe, prints the id of the wire and, with --wait-for-reply, the reply below it. ${WIRE_LINE}
To print only the reply: --jq '.reply | .text_body // .payload'`;

export function addReplyToOption(command: Command): Command {
  return command.option("--reply-to <wire>", "id or URI of the wire to reply to");
}

export function addSendOptions(command: Command): Command {
  command
    .option("--payload <json>", "JSON payload: the value itself, @FILE, or - for standard input")
    .option("--reply-rule <json>", "rule for replies to this wire: JSON, @FILE, or - for standard input")
    .option(
      "--idempotency-key <key>",
      "makes retries safe: requests with the same idempotency key within 24 hours send one wire",
      parseIdempotencyKey,
    )
    .option(
      "--wait-for-reply [seconds]",
      `wait up to this many seconds for a reply, and print it: 0 to 60 (default: ${REPLY_SECONDS}, the most that the service waits)`,
      integerBetween(0, 60),
    );
  return addRetryOption(command);
}

/** `to` is `@bob`, `bob` or `#ops`. */
export async function sendWire(
  session: Session,
  to: string,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  if (to.startsWith("#")) parseSpaceArgument(session, to);
  else parseHandleArgument(session, to);
  if (flags.replyTo !== undefined) parseWireArgument(session, flags.replyTo);
  const input = await wireInput(session, to, text, flags);
  const { output } = session;
  const client = await session.agent();
  const seconds = Math.min(input.wait_for_reply ?? 0, REPLY_SECONDS);
  const deadlineMs = monotonicMs() + seconds * 1_000;
  // `untilReply` finds the wire by this key.
  const idempotencyKey = flags.idempotencyKey ?? randomHexName();
  if (seconds > 0 && session.io.stderr.isTTY)
    output.note(`Waiting up to ${seconds} s for a reply. Ctrl-C ends only the wait: the wire stays sent.`);
  const send = (signal?: AbortSignal) => client.wires.send(input, { idempotencyKey, signal });
  const sent = await withRetry(session, flags, () =>
    seconds > 0 ? reportingInterrupt(output, to, send) : send(),
  );
  if (!output.json) showSent(output, to, sent);
  const timeout = deadlineMs - monotonicMs();
  const answered =
    sent.status === "held" && seconds > 0 && timeout > 0
      ? await reportingInterrupt(output, to, (signal) =>
          untilReply(client, input, { idempotencyKey, timeout, signal }),
        )
      : sent;
  output.result({ ...sent, ...answered }, () => showReply(output, sent, answered), "wires.send");
  if (flags.waitForReply !== undefined && !answered.reply) session.io.exitCode = codeWithoutReply(answered);
}

type Answered = Pick<WiresSendOutput, "reply"> & Pick<SentWire, "status">;

async function untilReply(client: Wireroom, input: WiresSendInput, options: AskOptions): Promise<Answered> {
  const { NoReplyError } = await import("../../../sdk/src/index.js");
  const { wait_for_reply: _, ...question } = input;
  try {
    // Send the request again to wait for the reply. The idempotency key prevents a second wire.
    return { reply: await client.wires.ask(question, options), status: undefined };
  } catch (error) {
    if (!(error instanceof NoReplyError)) throw error;
    return { reply: null, status: error.wire.status };
  }
}

function showSent(output: Output, to: string, sent: WiresSendOutput): void {
  const what = sent.status === "held" ? "held the wire to" : "sent to";
  output.success(`${what} ${oneLine(to)}  ${output.paint("dim", sent.id)}`, sent.id);
  if (sent.accepted_knock !== undefined)
    output.note(`This accepted the knock of ${oneLine(to)}: you are contacts now.`);
  if (sent.status === "held") printHeldNote(output);
}

function showReply(output: Output, { thread_id }: WiresSendOutput, { reply, status }: Answered): void {
  const thread = `wireroom thread ${shellQuoted(thread_id)}`;
  if (reply) writeWires(output, [reply], "");
  else if (reply === null && status === undefined) output.note(oneLine(`No reply yet: ${thread} --wait 50`));
  else if (reply === null && status === "held")
    output.note(oneLine(`It is still held. After the approval: ${thread} --wait 50`));
  else if (reply === null) output.note(`The wire is ${described(UNSENT, status!)}.`);
  else if (status === undefined) output.nextSteps(thread);
}

function codeWithoutReply({ status }: Answered): ExitCode {
  if (status === undefined) return EXIT.noReply;
  return status === "held" ? EXIT.held : EXIT.denied;
}

/** Sends a wire and waits for a reply. After a signal, prints how to check whether the wire was sent. */
async function reportingInterrupt<Result>(
  output: Output,
  to: string,
  send: (signal: AbortSignal) => PromiseLike<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const stopListening = onInterrupt((exitCode) => stop.abort(new Interrupted(exitCode)));
  try {
    return await send(stop.signal);
  } catch (error) {
    if (error instanceof Interrupted)
      output.note(oneLine(`The wire was probably sent: wireroom sent ${shellQuoted(to)}`));
    throw error;
  } finally {
    stopListening();
  }
}

async function wireInput(
  { io: { stdin } }: Session,
  to: string,
  text: string | undefined,
  { payload, replyTo, replyRule, waitForReply }: SendFlags,
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
    ...(waitForReply !== undefined && {
      wait_for_reply: waitForReply === true ? REPLY_SECONDS : waitForReply,
    }),
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
