/** Parses values of the command line. Bad values are refused before anything is sent. */
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { InvalidArgumentError } from "commander";
import { now } from "../clock.js";
import { Failure } from "../failure.js";

/** A parser for commander: an integer within bounds. */
export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** A parser for commander: an option that may be repeated. */
export function repeated(value: string, all?: unknown): string[] {
  return [...(Array.isArray(all) ? all : []), value];
}

const LENGTH = /^(\d{1,6})([hdwy])$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-.*T.*(Z|[+-]\d{2}:\d{2})$/i;

const LENGTHS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** A parser for commander: a future time, given as a duration from now, a day (its end, UTC), or a date-time. */
export function momentToCome(value: string): string {
  const [, count, unit] = LENGTH.exec(value) ?? [];
  const time =
    unit === undefined
      ? Date.parse(DAY.test(value) ? `${value}T23:59:59.999Z` : DATE_TIME.test(value) ? value : "")
      : now() + Number(count) * LENGTHS[unit]!;
  return momentOf(time > now() ? time : Number.NaN, TO_COME);
}

const TO_COME = "It must be to come: 12h, 30d, 4w, 1y, 2027-01-31, or 2027-01-31T12:00:00Z.";

/**
 * A parser for commander: a past time, given as a duration ago, a day (UTC), or a date-time.
 * @param edge whether a day means its first midnight or its last
 */
export function momentPast(edge: "start" | "end"): (value: string) => string {
  return (value) => {
    const [, count, unit] = LENGTH.exec(value) ?? [];
    if (unit !== undefined) return momentOf(now() - Number(count) * LENGTHS[unit]!, PAST);
    if (!DAY.test(value)) return momentOf(DATE_TIME.test(value) ? Date.parse(value) : Number.NaN, PAST);
    return momentOf(Date.parse(`${value}T00:00:00Z`) + (edge === "end" ? LENGTHS.d! : 0), PAST);
  };
}

const PAST = "It must be such as 12h, 30d, 4w or 1y ago, 2026-01-31, or 2026-01-31T12:00:00Z.";

/** The time in the format of the service. Throws `expected` if it cannot be written in it. */
function momentOf(time: number, expected: string): string {
  const moment = Math.abs(time) < 8.64e15 ? new Date(time) : undefined;
  const year = moment?.getUTCFullYear() ?? -1;
  if (moment && year >= 0 && year < 10_000) return moment.toISOString();
  throw new InvalidArgumentError(expected);
}

/** The text that `@file` or `-` (standard input) stands for; any other value is the text itself. */
export async function contentOf(value: string, stdin: NodeJS.ReadStream): Promise<string> {
  if (value === "-") return readAll(stdin);
  if (!value.startsWith("@")) return value;
  try {
    return await readFile(value.slice(1), "utf8");
  } catch (error) {
    throw new Failure("USAGE", `${value.slice(1)} cannot be read: ${(error as Error).message}`);
  }
}

/** A JSON document: as such, as `-`, or in a file that is named with or without `@`. `what` names it in the error. */
export function documentOf(value: string, what: string, stdin: NodeJS.ReadStream): Promise<unknown> {
  const isFile = value !== "-" && !/^\s*[@[{]/.test(value);
  return jsonOf(isFile ? `@${value}` : value, what, stdin);
}

/** A JSON value given as such, as `@file`, or as `-`. `what` names it in the error. */
export async function jsonOf(value: string, what: string, stdin: NodeJS.ReadStream): Promise<unknown> {
  const text = await contentOf(value, stdin);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("USAGE", `${what} is not JSON: ${(error as Error).message}`, [
      "Give the value itself in quotes, @FILE, or - for standard input.",
    ]);
  }
}
