/** A line of the daemon's log for people. */
import type { Paint } from "../colours.js";
import { oneLine } from "../safe.js";

type Entry = Record<string, unknown>;

/** pino's levels, up to and with that number. */
const LEVELS = [
  [10, "TRACE", "dim"],
  [20, "DEBUG", "dim"],
  [30, "INFO", "green"],
  [40, "WARN", "yellow"],
  [50, "ERROR", "red"],
  [Number.POSITIVE_INFINITY, "FATAL", "red"],
] as const;

/** Time, level, message and fields on one line; a line that is not JSON stays as it is. */
export function prettyLogLine(line: string, paint: Paint): string {
  const entry = entryOf(line);
  if (!entry) return oneLine(line);
  const { time, level, msg, pid: _, hostname: _host, ...fields } = entry;
  const [, name, colour] = LEVELS.find(([most]) => Number(level) <= most) ?? LEVELS[2];
  const details = Object.entries(fields).map(
    ([key, value]) =>
      `${paint("dim", `${oneLine(key)}=`)}${oneLine(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
  return [
    paint("dim", clockOf(time)),
    paint(colour, name.padEnd(5)),
    oneLine(String(msg ?? "")),
    ...details,
  ].join(" ");
}

/** A line as JSON: one that is not, such as what a crash wrote, becomes a message. */
export function jsonLogLine(line: string): string {
  return entryOf(line) ? line : JSON.stringify({ msg: line });
}

function entryOf(line: string): Entry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

/** `2026-01-02 03:04:05.678`, where the reader is. */
function clockOf(time: unknown): string {
  const at = new Date(String(time));
  if (Number.isNaN(at.getTime())) return oneLine(String(time ?? "-"));
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1).replace("T", " ");
}
