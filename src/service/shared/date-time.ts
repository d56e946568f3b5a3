import { invalid } from "../../contract/errors.js";

/**
 * Parses a date-time field to milliseconds since 1970. Throws 400 for a time that has a valid format but does not exist, such
 * as a leap second.
 */
export function parseDateTime(field: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const message = "must be a date-time such as 2026-01-02T03:04:05.678Z";
  throw invalid({ instancePath: `/${field}`, keyword: "format", message });
}
