import { invalid } from "../../contract/errors.js";

const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.UTC(10_000);

/**
 * Parses a date-time field to milliseconds since 1970. Throws 400 if the time is well-formed but does not
 * exist (such as a leap second), or if its UTC year does not have four digits.
 */
export function parseDateTime(field: string, text: string): number {
  const time = Date.parse(text);
  if (time >= YEAR_0 && time < YEAR_10000) return time;
  const message = Number.isNaN(time)
    ? "must be a date-time such as 2026-01-02T03:04:05.678Z"
    : "must be in the years 0000 to 9999 in UTC";
  throw invalid({ instancePath: `/${field}`, keyword: "format", message });
}
