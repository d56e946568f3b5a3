/** Implements `wireroom watch`: runs a command for each item, and acknowledges the item on exit code 0. */
import { join } from "node:path";
import { makeFolder } from "../../../daemon/local/offline.js";
import type { InboxItem, ReceivedItem, ReceivedWire, Wireroom, WorkDecision } from "../../../sdk/src/api.js";
import { fileCursors } from "../../../sdk/src/node.js";
import { sleep } from "../../clock.js";
import { Failure } from "../../failure.js";
import { itemFacts } from "../../output/show/inbox.js";
import { counted } from "../../output/units.js";
import { configFolder } from "../../profiles/folder.js";
import { withLock } from "../../profiles/lock.js";
import type { Session } from "../../session.js";
import { type RetryOptions, untilSignal } from "../until-signal.js";
import { assertProgram, CommandFailure, GUARD_MS, isMissing } from "./command.js";
import { DeadLetters } from "./dead-letters.js";
import { type FilterFlags, filterWarnings, itemFilter, LeftItems } from "./filter.js";
import { type ItemCommand, programFor, runForItem } from "./item-command.js";
import { Journal } from "./journal.js";
import { type EventDetails, stopwatch, WatchLog } from "./log.js";
import { isOlderThan } from "./processes.js";
import { isRefused, NO_ANSWER, replyText, sendReply } from "./reply.js";

export interface WatchOptions extends FilterFlags, ItemCommand {
  concurrency: number;
  /** Number of attempts after the first one. */
  retries: number;
  /** Seconds before the first retry. The delay doubles with each retry, up to a minute. */
  retryDelay: number;
  /** Action after the last failed attempt. Default for dead letters: a file beside the watch's files. */
  onFailure: { action: "dead-letter" | "stop" | "skip"; file?: string };
  /** Slug of the space to watch instead of the inbox. */
  space?: string | undefined;
  /** The start position in a space that was never watched before. */
  start: "latest" | "beginning";
  /** Wires with more hops run no command. */
  maxHops: number;
  /** Acknowledge items that do not match the filters. */
  pass?: boolean;
  once?: boolean;
  /** Handle the dead letters instead of new items. */
  deadLetters?: boolean;
  grace: number;
  name: string;
}

const LONGEST_DELAY_S = 60;

const REPLIES = { sent: "replied", held: "the reply is held", none: "no output, so no reply" } as const;

/** Runs until a signal, or with `once` until no item is left. Throws if a failed item must stop the watch. */
export async function watch(session: Session, options: WatchOptions): Promise<void> {
  let worker: Worker | undefined;
  await assertProgram(options.command, session.env);
  await untilSignal(session, run, { seconds: options.grace, note: () => worker?.endingNote() });

  async function run(retry: RetryOptions, kill: AbortSignal): Promise<void> {
    const client = await programFor(session, options.space, retry);
    const { id, slug } = await client.profile.get(retry);
    for (const warning of await filterWarnings(options, client, retry)) session.output.warn(warning);
    const { space, name } = options;
    const fileName = `${id}${space === undefined ? "" : `+${space}`}${name === "" ? "" : `.${name}`}`;
    const file = join(await watchFolder(session), fileName.replaceAll(/[^\w.@+-]/g, "_"));
    const what = space === undefined ? `the inbox of @${slug}` : `#${space} as @${slug}`;
    await withWatchLock(
      file,
      what,
      options.deadLetters ? undefined : "Or give this watch another name, for other items: --name NAME",
      async () => {
        const journal = await Journal.open(`${file}.journal`);
        journal.compact();
        const { action, file: ownFile = `${file}.dead-letters.jsonl` } = options.onFailure;
        const deadLetters = action === "dead-letter" ? new DeadLetters(ownFile) : undefined;
        worker = new Worker(session, options, { client, slug, journal, kill, deadLetters });
        const start = options.deadLetters ? "handling dead letters" : `watching ${what}`;
        const then = { "dead-letter": `go to ${ownFile}`, stop: "end the watch", skip: "are skipped" }[
          action
        ];
        worker.log.writeStart(`${start}; items whose command fails ${then}`, deadLetters?.file);
        await worker.work(retry, `${file}.cursor`);
      },
    );
  }
}

/** Returns the folder with the files of all watches. */
export async function watchFolder({ env }: Session): Promise<string> {
  const folder = join(configFolder(env), "watch");
  makeFolder(folder, 0o700);
  return folder;
}

/** The lock prevents a second watch, because two would run the command twice for each item. */
export function withWatchLock(
  file: string,
  watched: string,
  hint: string | undefined,
  task: () => Promise<void>,
): Promise<void> {
  const hints = ["Stop that process.", ...(hint === undefined ? [] : [hint])];
  return withLock(file, task, {
    timeoutMs: 1_000,
    isOwner: isOlderThan,
    // Wait, because the commands of a killed watch may still be ending.
    beforeTakeover: () => sleep(GUARD_MS),
    busy: (pid) => new Failure("ALREADY_RUNNING", `process ${pid} already watches ${watched}`, hints),
  });
}

class Worker {
  readonly #matches: (item: InboxItem) => boolean;
  readonly log: WatchLog;
  readonly #left = new LeftItems();
  /** Number of wires with too many hops. */
  #tooFar = 0;
  /** Number of items whose command runs, or whose reply is being sent. */
  #inProgress = 0;

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

  endingNote(): string | undefined {
    const count = this.#inProgress;
    if (count === 0) return undefined;
    return `${counted(count, "item")} in progress; a second Ctrl-C kills what runs, and leaves its item unread`;
  }

  work({ signal, onRetry, onRead }: RetryOptions, cursorFile: string): Promise<void> {
    const { client, deadLetters } = this.state;
    if (this.options.deadLetters) return this.#workDeadLetters(deadLetters!, signal);
    const { concurrency, once, space, start } = this.options;
    const common = { signal, onRetry, onRead, concurrency, once };
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
    this.#inProgress++;
    try {
      const details = hasExited ? { attempt, exit_code: 0 } : await this.#run(item, attempt);
      const reply = await this.#reply(item, details);
      if (reply !== "refused") this.log.write("succeeded", item, details, reply && REPLIES[reply]);
      journal.recordDone(key);
    } finally {
      this.#inProgress--;
    }
  }

  async #run(item: ReceivedItem, attempt: number): Promise<EventDetails> {
    const { journal, kill, slug } = this.state;
    const elapsed = stopwatch();
    const output = await runForItem(this.session, this.options, item, {
      ...{ attempt, slug, signal: kill },
      onStart: () => this.log.write("started", item, { attempt }),
    });
    const text = this.options.reply && item.kind === "wire" ? replyText(output) : undefined;
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

  /** @param kind suffix of the idempotency key, for a reply other than the command's output */
  async #send(
    item: Extract<ReceivedItem, { kind: "wire" }>,
    text: string,
    kind = "",
  ): Promise<"sent" | "held" | undefined> {
    const { client, kill } = this.state;
    const { wire } = item;
    const key = ["watch", this.options.name, wire.id, kind].filter((part) => part !== "").join("-");
    let code: string | undefined;
    const state = await sendReply(client, wire, text, key, {
      signal: kill,
      onRetry: (error, delay) => {
        if (error.code === code) return;
        code = error.code;
        const wait = { code, reason: error.message, retry_in: Math.ceil(delay / 1_000) };
        this.log.write("reply_waits", item, wait);
      },
    });
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
