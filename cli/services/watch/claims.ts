/** Implements `wireroom space work`: claims the wires of a work queue, and runs a command for each. */
import { type ReceivedWire, WireroomError, type WorkDecision } from "../../../sdk/src/index.js";
import { EXIT } from "../../exit-codes.js";
import { Failure, Interrupted } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import { inboxItemJson } from "../../output/show/inbox.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { Outage } from "../inbox/outage.js";
import { assertProgram, CommandFailure, type CommandLine, isMissing, runCommand } from "./command.js";
import { DeadLetters } from "./dead-letters.js";
import { commandEnvironment } from "./environment.js";
import { type EventDetails, stopwatch, WatchLog } from "./log.js";
import { contentOf, isRefused, replyText } from "./reply.js";
import type { WatchOptions } from "./watch.js";

export interface ClaimOptions {
  command: CommandLine;
  /** Seconds after which the claim of a process that has died expires. */
  seconds: number;
  concurrency: number;
  /** Seconds. Undefined: no limit. */
  timeout?: number | undefined;
  /** Undefined: a wire whose command fails is tried again without end. */
  maxAttempts?: number | undefined;
  /** Action after the last attempt. */
  onFailure: WatchOptions["onFailure"];
  reply: boolean;
  once: boolean;
  grace: number;
}

/** Runs until a signal, or with `once` until no wire is open. */
export async function workOnClaims(session: Session, space: string, options: ClaimOptions): Promise<void> {
  const { command, seconds, concurrency, timeout, maxAttempts, onFailure, once, grace } = options;
  const stop = new AbortController();
  const kill = new AbortController();
  let exitCode: number | undefined;
  let running = 0;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
    setTimeout(() => kill.abort(), grace * 1_000).unref();
    if (running === 0 || grace === 0) return;
    const what = running === 1 ? "1 command" : `${running} commands`;
    output.note(
      `waiting up to ${grace} s for ${what}; a second Ctrl-C kills what runs, and its claim expires`,
    );
  });
  const { env, flags, output } = session;
  await assertProgram(command, env);
  const client = await session.program();
  const outage = new Outage(await session.url(), (text) => output.warn(text));
  const onRetry = (error: WireroomError) => outage.report(error);
  const log = new WatchLog(output);
  const { action, file } = onFailure;
  const deadLetters = file === undefined ? undefined : new DeadLetters(file);
  const patient = { signal: stop.signal, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  let slug = "";

  async function handle(wire: ReceivedWire, attempt: number, signal: AbortSignal): Promise<void> {
    outage.end();
    const item = { kind: "wire", wire } as const;
    // The signal also aborts when the work ends, but a running command may then end by itself.
    const lost = new AbortController();
    signal.addEventListener("abort", () => {
      if (!(signal.reason instanceof WireroomError)) return;
      lost.abort();
      log.write("claim_lost", item, { attempt });
    });
    const elapsed = stopwatch();
    running++;
    const stdout = await runCommand(command, {
      env: commandEnvironment(item, attempt, { env, flags, slug }),
      input: `${jsonText(inboxItemJson(item))}\n`,
      collects: options.reply,
      output: output.json ? 2 : 1,
      timeoutMs: timeout && timeout * 1_000,
      signal: AbortSignal.any([kill.signal, lost.signal]),
      onStart: () => log.write("started", item, { attempt }),
    }).finally(() => running--);
    const text = options.reply ? replyText(stdout) : undefined;
    const sent = text === undefined ? undefined : await wire.reply({ ...contentOf(text), done: true });
    log.write("succeeded", item, { attempt, exit_code: 0, duration_ms: elapsed() });
    if (sent) log.write(sent.status === "held" ? "reply_held" : "replied", item);
  }

  async function afterFailure(error: unknown, wire: ReceivedWire, attempt: number): Promise<WorkDecision> {
    const item = { kind: "wire", wire } as const;
    let details: EventDetails;
    if (error instanceof CommandFailure) {
      details = { attempt, exit_code: error.exitCode, reason: error.reason };
      log.write("failed", item, details);
      if (isMissing(error.exitCode)) return "stop";
    } else if (isRefused(error)) {
      details = { attempt, code: error.code, reason: error.message };
      log.write("reply_refused", item, details);
    } else return "stop";
    if (maxAttempts === undefined || attempt < maxAttempts) return "retry";
    if (action === "stop")
      throw new Failure("FAILED", `attempt ${attempt} at wire ${wire.id} failed: ${details.reason}`, [
        "The wire is open again. To go on after such wires, finish them: --on-failure skip",
      ]);
    if (deadLetters) {
      await deadLetters.append(item, details);
      log.write("dead_lettered", item, { ...details, file: deadLetters.file });
    }
    const notice = `[failed after ${attempt} ${attempt === 1 ? "attempt" : "attempts"}: ${details.reason}]`;
    await wire.reply({ text: notice, done: true }).catch((refusal) => {
      // The rule for replies may accept no text. The wire is then finished without a notice.
      if (!isRefused(refusal)) throw refusal;
    });
    if (!deadLetters) log.write("skipped", item, details);
    return "skip";
  }

  try {
    ({ slug } = await client.profile.get(patient));
    const then = { "dead-letter": `goes to ${file}`, stop: "ends the work", skip: "is finished" }[action];
    const end = maxAttempts === undefined ? "" : `; a wire that fails at attempt ${maxAttempts} ${then}`;
    log.writeStart(`working on #${space} as @${slug}${end}`, file);
    await client.spaces.work(space, (wire, { attempt, signal }) => handle(wire, attempt, signal), {
      ...{ seconds, concurrency, once, onRetry, signal: stop.signal },
      onError: (error, { item, attempt }) => afterFailure(error, item, attempt),
    });
  } catch (error) {
    if (error instanceof CommandFailure)
      throw new Failure("FAILED", `the command ${error.reason}`, [
        "Install the program, or name it by its whole path. The wire is open again.",
      ]);
    if (!stop.signal.aborted) throw error;
  }
  // SIGTERM is the normal way to stop a service, so it is not a failure.
  if (exitCode === EXIT.interrupted) throw new Interrupted(exitCode);
}
