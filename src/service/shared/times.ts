import { invalid } from "../../contract/errors.js";

/** Milliseconds since 1970 of a date-time field. Throws 400 for one that is none of the calendar's, such as a leap second. */
export function momentOf(field: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  const message = "must be a date-time such as 2026-01-02T03:04:05.678Z";
  throw invalid({ instancePath: `/${field}`, keyword: "format", message });
}
