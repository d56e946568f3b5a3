/** Parsers for command line values. They reject invalid values before a request is sent. */
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { buffer as readAll } from "node:stream/consumers";
import { InvalidArgumentError } from "commander";
import { now } from "../clock.js";
import { Failure } from "../failure.js";

export function integerBetween(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Parses a repeatable option for commander: appends the value to earlier values. */
export function collectValues(value: string, all?: unknown): string[] {
  return [...(Array.isArray(all) ? all : []), value];
}

/** Returns a parser for an option whose description does not list the choices. */
export function among(choices: readonly string[]): (value: string) => string {
  return (value) => {
    if (choices.includes(value)) return value;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
  };
}

/** Returns a parser for a repeatable option that accepts only these choices. */
export function collectAmong(choices: readonly string[]): (value: string, all?: unknown) => string[] {
  return (value, all) => collectValues(among(choices)(value), all);
}

export function parseIdempotencyKey(value: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(value)) return value;
  throw new InvalidArgumentError("Expected 1 to 128 visible ASCII characters.");
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** Parses `90`, `90s`, `10m` or `2h`, at most 24 hours, to seconds. */
export function parseDuration(value: string): number {
  const [, count, unit = "s"] = /^(\d{1,5})([smh])?$/.exec(value) ?? [];
  const seconds = Number(count) * UNIT_SECONDS[unit]!;
  if (seconds <= 86_400) return seconds;
  throw new InvalidArgumentError("Expected seconds, or a time such as 90s, 10m or 2h, at most 24h.");
}

const DURATION = /^(\d{1,6})([hdwy])$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-.*T.*(Z|[+-]\d{2}:\d{2})$/i;

const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Parses `12h` (from now), a date or a date-time to RFC 3339. A date means the end of that day in UTC. */
export function parseFutureTime(value: string): string {
  const [, count, unit] = DURATION.exec(value) ?? [];
  const time =
    unit === undefined
      ? parseTime(DAY.test(value) ? `${value}T23:59:59.999Z` : value)
      : now() + Number(count) * UNIT_MS[unit]!;
  return toTimestamp(time > now() ? time : Number.NaN, FUTURE_EXPECTED);
}

const FUTURE_EXPECTED =
  "Expected a time in the future: 12h, 30d, 4w, 1y, 2027-01-31, or 2027-01-31T12:00:00Z.";

/**
 * Returns a parser that accepts `12h` (ago), a date in UTC or a date-time, and returns RFC 3339.
 * @param edge whether a date means the start or the end of that day
 */
export function parsePastTime(edge: "start" | "end"): (value: string) => string {
  return (value) => {
    const [, count, unit] = DURATION.exec(value) ?? [];
    if (unit !== undefined) return toTimestamp(now() - Number(count) * UNIT_MS[unit]!, PAST_EXPECTED);
    if (!DAY.test(value)) return toTimestamp(parseTime(value), PAST_EXPECTED);
    return toTimestamp(parseTime(`${value}T00:00:00Z`) + (edge === "end" ? UNIT_MS.d! : 0), PAST_EXPECTED);
  };
}

const PAST_EXPECTED = "Expected 12h, 30d, 4w or 1y (ago), 2026-01-31, or 2026-01-31T12:00:00Z.";

/** Parses a time. Returns NaN for impossible dates too: `Date.parse` would read 31 February as 3 March. */
function parseTime(value: string): number {
  const day = Date.parse(`${value.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(value.slice(0, 10));
  return exists && DATE_TIME.test(value) ? Date.parse(value) : Number.NaN;
}

/** Converts milliseconds since 1970 to RFC 3339. Throws `expected` for NaN and for years after 9999. */
function toTimestamp(time: number, expected: string): string {
  const date = Math.abs(time) < 8.64e15 ? new Date(time) : undefined;
  const year = date?.getUTCFullYear() ?? -1;
  if (date && year >= 0 && year < 10_000) return date.toISOString();
  throw new InvalidArgumentError(expected);
}

/** @param hints hints for a missing file: what else the value may have meant */
export async function readText(
  value: string,
  stdin: NodeJS.ReadStream,
  hints: readonly string[] = [],
): Promise<string> {
  if (value === "-") return decode(await readAll(stdin), "standard input");
  if (!value.startsWith("@")) return value;
  // Shells expand `~` only at the start of a word.
  const file = value.slice(1).replace(/^~(?=\/)/, homedir());
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new Failure("USAGE", `there is no file ${file}`, hints);
    throw new Failure("USAGE", `cannot read ${file}: ${error.message}`);
  });
  return decode(bytes, file);
}

/** Decodes UTF-8. Throws a `Failure` for invalid bytes, which Node would silently replace. */
function decode(bytes: Buffer, source: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new Failure("USAGE", `${source} is not valid UTF-8`, ["Convert it: iconv -t UTF-8"]);
}

/** Parses JSON given as text, as `-` for standard input, as `@file`, or as a file name without `@`. */
export function readJsonDocument(value: string, what: string, stdin: NodeJS.ReadStream): Promise<unknown> {
  const isFile = value !== "-" && !/^\s*[@[{]/.test(value);
  return readJson(isFile ? `@${value}` : value, what, stdin);
}

/**
 * Parses JSON given as text, as `@file`, or as `-` for standard input. Throws a `Failure` for JSON that the
 * service would refuse, such as a number that parsing would change because a double cannot represent it.
 * @param what name of the value in error messages
 * @param depth nesting level of the value in the request body: 1 for a field, 0 for the whole body
 */
export async function readJson(
  value: string,
  what: string,
  stdin: NodeJS.ReadStream,
  depth = 1,
): Promise<unknown> {
  const text = await readText(value, stdin, what.endsWith("-rule") ? ruleHints(value) : []);
  const parsed = parseJson(text, what);
  const { strictJsonProblem } = await import("../../daemon/local/offline.js");
  const problem = strictJsonProblem(text, depth);
  if (problem) throw new Failure("USAGE", `${what}: ${problem}`);
  return parsed;
}

/** Returns a hint for a schema name such as `@alice/order`, which looks like a file. */
function ruleHints(value: string): string[] {
  const rule = JSON.stringify({ allow_text: false, accepted_schemas: [value] });
  return /^@[a-z0-9-]+\/[a-z0-9._@-]+$/.test(value)
    ? [`To accept only payloads of a schema, pass a rule: '${rule}'`]
    : [];
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("USAGE", `${what} is not valid JSON: ${(error as Error).message}`, [
      "Pass the JSON in quotes, @FILE, or - for standard input.",
    ]);
  }
}
