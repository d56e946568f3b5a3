/** Implements `wireroom space work`: claims the wires of a work queue, and runs a command for each. */
import {
  type ReceivedWire,
  WireroomError,
  type WorkContext,
  type WorkDecision,
} from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { counted } from "../../output/units.js";
import type { Session } from "../../session.js";
import { type RetryOptions, untilSignal } from "../until-signal.js";
import { assertProgram, CommandFailure, isMissing } from "./command.js";
import { DeadLetters } from "./dead-letters.js";
import { type ItemCommand, programFor, runForItem } from "./item-command.js";
import { type EventDetails, stopwatch, WatchLog } from "./log.js";
import { contentOf, isRefused, replyText } from "./reply.js";
import type { WatchOptions } from "./watch.js";

export interface ClaimOptions extends ItemCommand {
  /** Seconds after which the claim of a process that has died expires. */
  seconds: number;
  concurrency: number;
  /** Undefined: no limit, so a wire whose command fails is retried forever. */
  maxAttempts?: number | undefined;
  /** Action after the last attempt. */
  onFailure: WatchOptions["onFailure"];
  once?: boolean;
  grace: number;
}

/** Runs until a signal, or with `once` until no wire is open. */
export async function workOnClaims(session: Session, space: string, options: ClaimOptions): Promise<void> {
  await assertProgram(options.command, session.env);
  const worker = new ClaimWorker(session, space, options);
  const note = () => worker.endingNote();
  await untilSignal(session, (retry, kill) => worker.work(retry, kill), {
    seconds: options.grace,
    note,
  });
}

class ClaimWorker {
  readonly #log: WatchLog;
  readonly #deadLetters: DeadLetters | undefined;
  /** Number of running commands. */
  #running = 0;

  constructor(
    private readonly session: Session,
    private readonly space: string,
    private readonly options: ClaimOptions,
  ) {
    const { file } = options.onFailure;
    this.#log = new WatchLog(session.output);
    this.#deadLetters = file === undefined ? undefined : new DeadLetters(file);
  }

  endingNote(): string | undefined {
    if (this.#running === 0) return undefined;
    return `${counted(this.#running, "command")}; a second Ctrl-C kills what runs, and its claim expires`;
  }

  async work(retry: RetryOptions, kill: AbortSignal): Promise<void> {
    const { seconds, concurrency, maxAttempts, onFailure, once } = this.options;
    const { action, file } = onFailure;
    const client = await programFor(this.session, this.space, retry);
    const { slug } = await client.profile.get(retry);
    const then = { "dead-letter": `goes to ${file}`, stop: "ends the work", skip: "is finished" }[action];
    const end = maxAttempts === undefined ? "" : `; a wire that fails at attempt ${maxAttempts} ${then}`;
    this.#log.writeStart(`working on #${this.space} as @${slug}${end}`, file);
    const { onRetry, onRead, signal } = retry;
    const handle = (wire: ReceivedWire, context: WorkContext) => {
      onRead();
      return this.#handle(wire, context, slug, kill);
    };
    await client.spaces.work(this.space, handle, {
      ...{ seconds, concurrency, once, onRetry, signal },
      onError: (error, { item, attempt }) => this.#afterFailure(error, item, attempt),
    });
  }

  async #handle(
    wire: ReceivedWire,
    { attempt, signal }: WorkContext,
    slug: string,
    kill: AbortSignal,
  ): Promise<void> {
    const item = { kind: "wire", wire } as const;
    // End the command only if its claim is lost. `signal` also aborts when the work ends, but the command may
    // then finish.
    const lost = new AbortController();
    signal.addEventListener("abort", () => {
      if (!(signal.reason instanceof WireroomError)) return;
      lost.abort();
      this.#log.write("claim_lost", item, { attempt });
    });
    const elapsed = stopwatch();
    this.#running++;
    const stdout = await runForItem(this.session, this.options, item, {
      ...{ attempt, slug, signal: AbortSignal.any([kill, lost.signal]) },
      onStart: () => this.#log.write("started", item, { attempt }),
    }).finally(() => this.#running--);
    const text = this.options.reply ? replyText(stdout) : undefined;
    const sent = text === undefined ? undefined : await wire.reply({ ...contentOf(text), done: true });
    this.#log.write("succeeded", item, { attempt, exit_code: 0, duration_ms: elapsed() });
    if (sent) this.#log.write(sent.status === "held" ? "reply_held" : "replied", item);
  }

  async #afterFailure(error: unknown, wire: ReceivedWire, attempt: number): Promise<WorkDecision> {
    const item = { kind: "wire", wire } as const;
    const { maxAttempts, onFailure } = this.options;
    let details: EventDetails;
    if (error instanceof CommandFailure) {
      details = { attempt, exit_code: error.exitCode, reason: error.reason };
      this.#log.write("failed", item, details);
      if (isMissing(error.exitCode))
        throw new Failure("FAILED", `the command ${error.reason}`, [
          "Install the program, or name it by its whole path. The wire is open again.",
        ]);
    } else if (isRefused(error)) {
      details = { attempt, code: error.code, reason: error.message };
      this.#log.write("reply_refused", item, details);
    } else return "stop";
    if (maxAttempts === undefined || attempt < maxAttempts) return "retry";
    if (onFailure.action === "stop")
      throw new Failure("FAILED", `attempt ${attempt} at wire ${wire.id} failed: ${details.reason}`, [
        "The wire is open again. To go on after such wires, finish them: --on-failure skip",
      ]);
    if (this.#deadLetters) {
      await this.#deadLetters.append(item, details);
      this.#log.write("dead_lettered", item, { ...details, file: this.#deadLetters.file });
    }
    const notice = `[failed after ${counted(attempt, "attempt")}: ${details.reason}]`;
    await wire.reply({ text: notice, done: true }).catch((refusal) => {
      // If the rule for replies does not accept text, the wire is finished without a notice.
      if (!isRefused(refusal)) throw refusal;
    });
    if (!this.#deadLetters) this.#log.write("skipped", item, details);
    return "skip";
  }
}
