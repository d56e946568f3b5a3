/** Waits for the reply to a wire, for `--wait-for-reply` and `wireroom wire wait`. */
import type { CallOptions, Wire, Wireroom, WireroomError } from "../../sdk/src/api.js";
import { monotonicMs, sleep } from "../clock.js";
import { EXIT } from "../exit-codes.js";
import { Interrupted } from "../failure.js";
import type { Output } from "../output/output.js";
import { oneLine } from "../output/safe.js";
import { shellQuoted } from "../output/shell-quote.js";
import { UNSENT, writeWires } from "../output/show/wire.js";
import { described } from "../output/text.js";
import { duration } from "../output/units.js";
import type { Session } from "../session.js";
import { onInterrupt } from "../signals.js";
import { Outage } from "./outage.js";

export const REPLY_SECONDS = 50;

/** Maximum duration of one long poll (docs/specification/reading.md#long-polls). */
const LONGEST_POLL_S = 50;
/** A stopping daemon ends long polls early. After a long poll as short as this, pause before the next one. */
const EARLY_MS = 500;
const PAUSE_MS = 250;
/** The delay between reads of a held wire doubles, up to the maximum. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;
/** Time for the last response. After that, the command fails. */
const LAST_RESPONSE_MS = 15_000;

/** Matches the replies of `watch` and `space work` to a wire whose command failed at the last attempt. */
const FAILURE_NOTICE = /^\[(no answer|failed after \d+ attempts?): .*\]$/s;

interface Answer {
  wire: Wire;
  reply: Wire | null;
}

/**
 * Waits for the approval of the wire if it is held, and then for its first direct reply. Prints the reply,
 * and sets the exit code if there is none, or if it only says that the command of a watch failed.
 * @param sent the response to the request that sent the wire, for `--json`
 */
export async function printReply(
  session: Session,
  client: Wireroom,
  id: string,
  seconds: number,
  sent: object = {},
): Promise<void> {
  const { output, io } = session;
  const again = oneLine(`wireroom wire wait ${shellQuoted(id)}`);
  if (seconds > 0 && io.stderr.isTTY)
    output.note(`Waiting up to ${duration(seconds)} for a reply. Ctrl-C ends only the wait.`);
  const answer = await interruptible(session, seconds, (call) =>
    answerTo(client, id, monotonicMs() + seconds * 1_000, call),
  ).catch((error: unknown) => {
    if (error instanceof Interrupted) output.note(`Only the wait has ended. To wait again: ${again}`);
    throw error;
  });
  const { wire, reply } = answer;
  const { id: wireId, thread_id, status } = wire;
  const note = status === "rejected" ? await noteOf(client, wireId) : undefined;
  const body = { ...sent, id: wireId, thread_id, status, ...(note && { note }), reply };
  output.result(body, () => showAnswer(output, again, answer, note), "wires.send");
  if (!reply) io.exitCode = status === undefined ? EXIT.noReply : status === "held" ? EXIT.held : EXIT.denied;
  else {
    await acknowledge(client, output, reply);
    if (FAILURE_NOTICE.test(reply.text_body ?? "")) io.exitCode = EXIT.failed;
  }
}

async function interruptible<Result>(
  session: Session,
  seconds: number,
  run: (call: CallOptions & { signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const { TimeoutError } = await import("../../sdk/src/api.js");
  const outage = new Outage(await session.url(), (text) => session.output.warn(text));
  const stop = new AbortController();
  const stopListening = onInterrupt((exitCode) => stop.abort(new Interrupted(exitCode)));
  const timer = setTimeout(
    () => stop.abort(new TimeoutError("the daemon did not answer while the command waited for a reply")),
    seconds * 1_000 + LAST_RESPONSE_MS,
  );
  const onRetry = (error: WireroomError) => outage.report(error);
  try {
    return await run({ signal: stop.signal, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity });
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

async function answerTo(
  client: Wireroom,
  id: string,
  deadlineMs: number,
  call: CallOptions & { signal: AbortSignal },
): Promise<Answer> {
  const secondsLeft = () => Math.max(0, Math.ceil((deadlineMs - monotonicMs()) / 1_000));
  let wire = await client.wires.get({ id }, call);
  for (let delay = FIRST_DELAY_MS; wire.status === "held" && secondsLeft() > 0; delay *= 2) {
    await sleep(Math.min(delay, LONGEST_DELAY_MS, secondsLeft() * 1_000), call.signal);
    wire = await client.wires.get({ id }, call);
  }
  if (wire.status !== undefined) return { wire, reply: null };
  for (let cursor: string | undefined; ; ) {
    const started = monotonicMs();
    const wait = Math.min(secondsLeft(), LONGEST_POLL_S);
    const page = await client.threads.get({ id, limit: 100, wait, cursor }, call);
    const reply = page.wires.find(
      ({ reply_to, sender_id, tombstone }) =>
        reply_to === wire.id && sender_id !== wire.sender_id && tombstone === null,
    );
    if (reply) return { wire, reply };
    if (page.wires.length === 0) {
      if (secondsLeft() === 0) return { wire, reply: null };
      if (monotonicMs() - started < EARLY_MS) await sleep(PAUSE_MS, call.signal);
    }
    cursor = page.next_cursor ?? cursor;
  }
}

/** Returns the human's note, unless the notice is acknowledged or not among the oldest unread items. */
async function noteOf({ inbox }: Wireroom, id: string): Promise<string | null | undefined> {
  const { approval_notices } = await inbox.read({ limit: 100, brief: true });
  return approval_notices.find(({ wire_id }) => wire_id === id)?.note;
}

function showAnswer(
  output: Output,
  again: string,
  { wire: { status }, reply }: Answer,
  note: string | null | undefined,
): void {
  if (reply) writeWires(output, [reply], "");
  else if (status === undefined) output.note(`No reply yet. Wait for it: ${again}`);
  else if (status === "held") output.note(`It is still held. Wait for its approval and the reply: ${again}`);
  else output.note(`The wire is ${described(UNSENT, status)}${note ? `: ${oneLine(note)}` : "."}`);
}

/**
 * Acknowledges the reply, or the notice of a reply in a space. Does so only if no older item is unread,
 * because that item would be acknowledged too. The notice of the sent wire's own approval may be older.
 */
async function acknowledge({ inbox }: Wireroom, output: Output, { id, reply_to }: Wire): Promise<void> {
  await output.writeAndWait("");
  try {
    let oldest = await inbox.read({ limit: 1 });
    const read = () => inbox.read({ cursor: oldest.next_cursor, limit: 1 });
    if (oldest.approval_notices[0]?.wire_id === reply_to) oldest = await read();
    if (oldest.wires[0]?.id === id || oldest.space_notices[0]?.wire_id === id) await read();
  } catch {
    // Ignore the error, because the reply is printed and only stays unread.
  }
}
