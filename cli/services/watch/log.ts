/** Writes a watch's log to standard error: one line when a command ends, or JSON lines with `--json`. */
import type { InboxItem } from "../../../sdk/src/api.js";
import { monotonicMs, now } from "../../clock.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { itemFacts } from "../../output/show/inbox.js";

export type WatchEvent =
  | "watching"
  | "started"
  | "succeeded"
  | "replied"
  | "reply_held"
  | "reply_waits"
  | "reply_refused"
  | "too_many_hops"
  | "failed"
  | "skipped"
  | "claim_lost"
  | "dead_lettered";

export interface EventDetails {
  attempt?: number;
  exit_code?: number | null;
  duration_ms?: number;
  /** The error code of a reply that was refused, or that is retried later. */
  code?: string;
  /** The reason why the attempt failed, or why the reply was refused or is retried later. */
  reason?: string;
  /** Seconds until the next attempt. */
  retry_in?: number;
  /**
   * Number of agents' replies that led to the wire. `count` is the number of wires so far with too many hops.
   */
  hops?: number;
  count?: number;
  /** The file that contains the item. */
  file?: string;
}

const FIELDS = [
  ...["time", "event", "kind", "id", "from", "thread_id"],
  ...["attempt", "exit_code", "duration_ms", "code", "reason", "retry_in", "hops", "count", "file"],
];

/** Events whose lines are only for programs. */
const HIDDEN: readonly WatchEvent[] = ["started", "replied"];

const HELD = "reply held until its human approves it: wireroom approval list";

export class WatchLog {
  /** @throws Failure USAGE if `--json` names a field that no event has */
  constructor(private readonly output: Output) {
    output.checkFields(FIELDS);
  }

  /** @param file the file for dead letters */
  writeStart(note: string, file: string | undefined): void {
    const line = { time: new Date(now()).toISOString(), event: "watching" satisfies WatchEvent, file };
    this.output.item(line, () => this.output.note(note), FIELDS);
  }

  write(event: WatchEvent, item: InboxItem, details: EventDetails = {}, note?: string): void {
    const { kind, id, from, thread_id } = itemFacts(item);
    const time = new Date(now()).toISOString();
    const line = { time, event, kind, id, from, thread_id, ...details };
    const show = () => {
      if (!HIDDEN.includes(event)) this.output.note(textOf(event, item, details, note));
    };
    this.output.item(line, show, FIELDS);
  }
}

export function stopwatch(): () => number {
  const start = monotonicMs();
  return () => Math.round(monotonicMs() - start);
}

function textOf(event: WatchEvent, item: InboxItem, details: EventDetails, note?: string): string {
  const { attempt, duration_ms, reason, retry_in, hops, count, file } = details;
  const { kind, id, from } = itemFacts(item);
  const parts = [
    `${kind.replace("_", " ")} ${id}${from === null ? "" : ` from ${from}`}: ${event === "reply_held" ? HELD : event.replaceAll("_", " ")}`,
    ...(duration_ms === undefined ? [] : [`in ${duration_ms / 1_000} s`]),
    ...(attempt === undefined || attempt === 1 ? [] : [`attempt ${attempt}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(retry_in === undefined ? [] : [`next attempt in ${retry_in} s`]),
    ...(hops === undefined ? [] : [`${hops} hops, so no command ran; ${count} such wires so far`]),
    ...(file === undefined ? [] : [`stored in ${file}`]),
    ...(note === undefined ? [] : [note]),
  ];
  return oneLine(parts.join(", "));
}
