/** Implements `wireroom watch`: runs a command for each item, and acknowledges the item on exit code 0. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  InboxItem,
  ReceivedItem,
  ReceivedWire,
  Wireroom,
  WireroomError,
  WorkDecision,
  WorkOptions,
} from "../../../sdk/src/index.js";
import { fileCursors } from "../../../sdk/src/node.js";
import { sleep } from "../../clock.js";
import { EXIT } from "../../exit-codes.js";
import { Failure, Interrupted } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import { inboxItemJson, itemFacts } from "../../output/show/inbox.js";
import { configFolder } from "../../profiles/folder.js";
import { type LockOptions, withLock } from "../../profiles/lock.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { Outage } from "../inbox/outage.js";
import { assertProgram, CommandFailure, type CommandLine, isMissing, runCommand } from "./command.js";
import { DeadLetters } from "./dead-letters.js";
import { commandEnvironment } from "./environment.js";
import { type FilterFlags, itemFilter, LeftItems, unknownSenders } from "./filter.js";
import { Journal } from "./journal.js";
import { type EventDetails, stopwatch, WatchLog } from "./log.js";
import { endLeftCommands, isOlderThan } from "./processes.js";
import { isRefused, NO_ANSWER, replyText, sendReply } from "./reply.js";

export interface WatchOptions extends FilterFlags {
  command: CommandLine;
  concurrency: number;
  /** Seconds. Undefined: no limit. */
  timeout?: number | undefined;
  /** Attempts after the first one. */
  retries: number;
  /** Seconds before the first retry. The delay doubles with each retry, up to a minute. */
  retryDelay: number;
  /** Action after the last failed attempt. Default for dead letters: a file beside the watch's files. */
  onFailure: { action: "dead-letter" | "stop" | "skip"; file?: string };
  reply: boolean;
  /** Slug of the space to watch instead of the inbox. */
  space?: string | undefined;
  /** Where to start in a space that was never watched before. */
  start: "latest" | "beginning";
  /** Wires with more hops run no command. */
  maxHops: number;
  /** Acknowledge items that do not match the filters. */
  pass: boolean;
  once: boolean;
  /** Handle the dead letters instead of new items. */
  deadLetters: boolean;
  grace: number;
  name: string;
}

const LONGEST_DELAY_S = 60;

const REPLIES = { sent: "replied", held: "the reply is held", none: "no output, so no reply" } as const;

/** Runs until a signal, or with `once` until no item is left. Throws if a failed item must stop the watch. */
export async function watch(session: Session, options: WatchOptions): Promise<void> {
  const stop = new AbortController();
  const kill = new AbortController();
  let exitCode: number | undefined;
  let worker: Worker | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
    setTimeout(() => kill.abort(), options.grace * 1_000).unref();
    const count = worker?.inProgress ?? 0;
    if (count > 0 && options.grace > 0) session.output.note(endingNote(count, options.grace));
  });
  await assertProgram(options.command, session.env);
  const client = await session.program();
  const outage = new Outage(await session.url(), (text) => session.output.warn(text));
  const reading = {
    onRetry: (error: WireroomError) => outage.report(error),
    onRead: () => outage.end(),
    signal: stop.signal,
  };
  const patient = { ...reading, maxRetries: Infinity, maxRetryAfter: Infinity };
  try {
    const { id, slug } = await client.profile.get(patient);
    for (const handle of await unknownSenders(options, client, patient))
      session.output.warn(`warning: there is no handle ${handle}, so no item is from it`);
    const file = await stateFile(session, id, options);
    await withLock(
      file,
      async () => {
        const journal = await Journal.open(`${file}.journal`);
        await endLeftCommands(journal.leftBehind);
        journal.compact();
        const { action, file: ownFile = `${file}.dead-letters.jsonl` } = options.onFailure;
        const deadLetters = action === "dead-letter" ? new DeadLetters(ownFile) : undefined;
        worker = new Worker(session, options, {
          client,
          slug,
          journal,
          kill: kill.signal,
          deadLetters,
        });
        const what = options.deadLetters ? "handling dead letters" : `watching ${watchedBy(slug, options)}`;
        const then = { "dead-letter": `go to ${ownFile}`, stop: "end the watch", skip: "are skipped" }[
          action
        ];
        worker.log.writeStart(`${what}; items whose command fails ${then}`, deadLetters?.file);
        await worker.work(reading, `${file}.cursor`);
      },
      watchLock(slug, options),
    );
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  // SIGTERM is the normal way to stop a service, so it is not a failure.
  if (exitCode === EXIT.interrupted) throw new Interrupted(exitCode);
}

function endingNote(count: number, grace: number): string {
  const items = count === 1 ? "1 item" : `${count} items`;
  return `waiting up to ${grace} s for ${items} in progress; a second Ctrl-C kills what runs, and leaves its item unread`;
}

/** The file name contains the handle's id. Returns it without an extension. */
async function stateFile(session: Session, handleId: string, { space, name }: WatchOptions): Promise<string> {
  const folder = join(configFolder(session.env), "watch");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = `${handleId}${space === undefined ? "" : `+${space}`}${name === "" ? "" : `.${name}`}`;
  return join(folder, file.replaceAll(/[^\w.@+-]/g, "_"));
}

function watchedBy(slug: string, { space }: WatchOptions): string {
  return space === undefined ? `the inbox of @${slug}` : `#${space} as @${slug}`;
}

/** The lock prevents a second watch, because two would run the command twice for each item. */
function watchLock(slug: string, options: WatchOptions): LockOptions {
  return {
    timeoutMs: 1_000,
    isOwner: isOlderThan,
    busy: (pid) =>
      new Failure("ALREADY_RUNNING", `process ${pid} already watches ${watchedBy(slug, options)}`, [
        "Stop that process.",
        "Or give this watch another name, for other items: --name NAME",
      ]),
  };
}

type Reading = Pick<WorkOptions<never>, "onRetry" | "onRead" | "signal">;

class Worker {
  readonly #matches: (item: InboxItem) => boolean;
  readonly log: WatchLog;
  readonly #left = new LeftItems();
  /** Number of wires with too many hops. */
  #tooFar = 0;
  /** Number of items whose command runs, or whose reply is being sent. */
  inProgress = 0;

  constructor(
    private readonly session: Session,
    private readonly options: WatchOptions,
    private readonly state: {
      client: Wireroom;
      slug: string;
      journal: Journal;
      kill: AbortSignal;
      deadLetters: DeadLetters | undefined;
    },
  ) {
    this.#matches = itemFilter(options);
    this.log = new WatchLog(session.output);
  }

  work(reading: Reading, cursorFile: string): Promise<void> {
    const { client, deadLetters } = this.state;
    if (this.options.deadLetters) return this.#workDeadLetters(deadLetters!, reading.signal!);
    const { concurrency, once, space, start } = this.options;
    const common = { ...reading, concurrency, once };
    if (space !== undefined)
      return client.spaces.work(space, (wire, { attempt }) => this.#handleWire(wire, attempt), {
        ...common,
        cursors: fileCursors(cursorFile),
        start,
        onError: (error, { item, attempt }) =>
          this.#afterFailure(error, { kind: "wire", wire: item }, attempt),
      });
    return client.inbox.work((item, { attempt }) => this.#handle(item, attempt), {
      ...common,
      onError: (error, { item, attempt }) => this.#afterFailure(error, item, attempt),
      onFull: () => this.session.output.warn(this.#left.warning()),
    });
  }

  async #workDeadLetters(deadLetters: DeadLetters, signal: AbortSignal): Promise<void> {
    const items = await deadLetters.take();
    if (items.length === 0) this.session.output.note("there are none");
    for (const item of items)
      for (let attempt = 1; !signal.aborted; attempt++) {
        const decision = await this.#complete(item as ReceivedItem, attempt).catch((error) => {
          if (signal.aborted) throw error;
          return this.#afterFailure(error, item as ReceivedItem, attempt);
        });
        if (typeof decision !== "object") break;
        await sleep(decision.retryIn, signal);
      }
    if (!signal.aborted) await deadLetters.forgetTaken();
  }

  /** Skips the caller's own wires, which include this watch's replies. */
  async #handleWire(wire: ReceivedWire, attempt: number): Promise<void> {
    if (wire.sender === this.state.slug) return;
    // In a space, skip wires that do not match the filters, because the watch has its own cursor there.
    await this.#handle({ kind: "wire", wire }, attempt);
  }

  async #handle(item: ReceivedItem, attempt: number): Promise<"leave" | undefined> {
    const { journal } = this.state;
    if (!this.#matches(item)) {
      if (this.options.pass) return;
      this.#left.add(item);
      return "leave";
    }
    if (journal.isDone(keyOf(item))) return;
    const hops = item.kind === "wire" ? (item.wire.hops ?? 0) : 0;
    if (hops <= this.options.maxHops) return this.#complete(item, attempt);
    this.log.write("too_many_hops", item, { hops, count: ++this.#tooFar });
    journal.recordDone(keyOf(item));
    return;
  }

  /** Runs the command, sends its output, and records both. */
  async #complete(item: ReceivedItem, attempt: number): Promise<undefined> {
    const { journal } = this.state;
    const key = keyOf(item);
    // True if an earlier watch ended after the command had exited, but before the reply was sent.
    const hasExited = journal.outputOf(key) !== undefined;
    // Skip a removed wire, because it has no content that the command could handle.
    if (item.kind === "wire" && item.wire.tombstone !== null && !hasExited) return;
    this.inProgress++;
    try {
      const details = hasExited ? { attempt, exit_code: 0 } : await this.#run(item, attempt);
      const reply = await this.#reply(item, details);
      if (reply !== "refused") this.log.write("succeeded", item, details, reply && REPLIES[reply]);
      journal.recordDone(key);
    } finally {
      this.inProgress--;
    }
  }

  async #run(item: ReceivedItem, attempt: number): Promise<EventDetails> {
    const { command, timeout, reply } = this.options;
    const { journal, kill, slug } = this.state;
    const { env, flags } = this.session;
    const elapsed = stopwatch();
    let pid: number | undefined;
    const output = await runCommand(command, {
      env: commandEnvironment(item, attempt, { env, flags, slug }),
      input: `${jsonText(inboxItemJson(item))}\n`,
      collects: reply,
      output: this.session.output.json ? 2 : 1,
      timeoutMs: timeout && timeout * 1_000,
      signal: kill,
      onStart: (started) => {
        pid = started;
        journal.recordStart(pid);
        this.log.write("started", item, { attempt });
      },
    }).finally(() => pid !== undefined && journal.recordEnd(pid));
    const text = reply && item.kind === "wire" ? replyText(output) : undefined;
    // Store the output for the next watch, because this one may end before the reply is sent.
    if (text !== undefined) journal.recordExit(keyOf(item), text);
    return { attempt, exit_code: 0, duration_ms: elapsed() };
  }

  /**
   * Sends the stored output, even if an earlier watch stored it. A refused reply does not count as a failure
   * of the command, because the item's sender can cause the refusal, for example with a reply rule.
   */
  async #reply(
    item: ReceivedItem,
    details: EventDetails,
  ): Promise<keyof typeof REPLIES | "refused" | undefined> {
    const text = this.state.journal.outputOf(keyOf(item));
    if (item.kind !== "wire" || text === undefined)
      return item.kind === "wire" && this.options.reply ? "none" : undefined;
    try {
      return await this.#send(item, text);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const refusal = { ...details, code: error.code, reason: error.message };
      this.log.write("reply_refused", item, refusal);
      await this.#storeDeadLetter(item, refusal);
      return "refused";
    }
  }

  /** @param kind ends the idempotency key of a reply other than the command's output */
  async #send(
    item: Extract<ReceivedItem, { kind: "wire" }>,
    text: string,
    kind = "",
  ): Promise<"sent" | "held" | undefined> {
    const { client, kill } = this.state;
    const { wire } = item;
    const key = ["watch", this.options.name, wire.id, kind].filter((part) => part !== "").join("-");
    const state = await sendReply(client, wire, text, key, kill);
    if (state !== undefined) this.log.write(state === "held" ? "reply_held" : "replied", item);
    return state;
  }

  async #afterFailure(error: unknown, item: ReceivedItem, attempt: number): Promise<WorkDecision> {
    if (!(error instanceof CommandFailure)) throw error;
    const { retries, retryDelay, onFailure } = this.options;
    const details = { attempt, exit_code: error.exitCode, reason: error.reason };
    const delay = Math.min(LONGEST_DELAY_S, retryDelay * 2 ** (attempt - 1));
    const isLast = attempt > retries || isMissing(error.exitCode);
    this.log.write("failed", item, isLast ? details : { ...details, retry_in: delay });
    if (!isLast) return { retryIn: delay * 1_000 };
    if (isMissing(error.exitCode))
      throw new Failure("FAILED", `the command ${error.reason}`, [
        "Install the program, or name it by its whole path. Then start the watch again: the item stayed unread.",
      ]);
    if (onFailure.action === "stop")
      throw new Failure("FAILED", `the command for ${keyOf(item)} ${error.reason}`, [
        "The item stays unread. To go on after such items, store them: --on-failure dead-letter FILE",
      ]);
    if (onFailure.action === "skip") this.log.write("skipped", item, details);
    await this.#storeDeadLetter(item, details);
    // Two watches that both fail would otherwise send each other this notice without end.
    if (this.options.reply && item.kind === "wire" && item.wire.text_body !== NO_ANSWER)
      await this.#send(item, NO_ANSWER, "failed").catch((error) => {
        if (!isRefused(error)) throw error;
      });
    return "skip";
  }

  async #storeDeadLetter(item: ReceivedItem, details: EventDetails): Promise<void> {
    const { deadLetters } = this.state;
    if (deadLetters === undefined) return;
    await deadLetters.append(item, details);
    this.log.write("dead_lettered", item, { ...details, file: deadLetters.file });
  }
}

function keyOf(item: InboxItem): string {
  const { kind, id } = itemFacts(item);
  return `${kind} ${id}`;
}
