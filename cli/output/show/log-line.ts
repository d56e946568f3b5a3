import type { Paint } from "../colours.js";
import { oneLine } from "../safe.js";

type Entry = Record<string, unknown>;

/** Log levels of the logger pino: each level's largest number, its name and its style. */
const LEVELS = [
  [10, "TRACE", "dim"],
  [20, "DEBUG", "dim"],
  [30, "INFO", "green"],
  [40, "WARN", "yellow"],
  [50, "ERROR", "red"],
  [Number.POSITIVE_INFINITY, "FATAL", "red"],
] as const;

export function prettyLogLine(line: string, paint: Paint): string {
  const entry = entryOf(line);
  if (!entry) return oneLine(line);
  const { time, level, pid: _, hostname: _host, msg = "", ...others } = entry;
  const [words, fields] = msg === "request" ? requestParts(others) : [[String(msg)], shortIdentity(others)];
  const [, name, colour] = LEVELS.find(([largest]) => Number(level) <= largest) ?? LEVELS[2];
  const text = (value: unknown) => oneLine(typeof value === "string" ? value : JSON.stringify(value));
  const details = Object.entries(fields).map(
    ([key, value]) => `${paint("dim", `${oneLine(key)}=`)}${text(value)}`,
  );
  return [paint("dim", localTime(time)), paint(colour, name.padEnd(5)), ...words.map(text), ...details].join(
    " ",
  );
}

/**
 * Formats a request briefly, because most lines are requests. Omits the id, which a failure's own line
 * contains.
 */
function requestParts(request: Entry): [words: unknown[], fields: Entry] {
  const { request_id: _, method, operation, status, ms, caller, ...fields } = request;
  const words = [method, operation, status, ms === undefined ? undefined : `${ms} ms`, caller];
  return [words.filter((word) => word !== undefined), fields];
}

/** Replaces the identity settings, an object in the line about the daemon's start, with their mode. */
function shortIdentity({ identity, ...fields }: Entry): Entry {
  const { mode = identity } = (identity ?? {}) as { mode?: unknown };
  return mode === undefined ? fields : { identity: mode, ...fields };
}

/** Parses a log line. If the line is not JSON, such as a crash message, returns it as `msg`. */
export function logEntry(line: string): object {
  return entryOf(line) ?? { msg: line };
}

function entryOf(line: string): Entry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

function localTime(time: unknown): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return oneLine(String(time ?? "-"));
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1).replace("T", " ");
}
