import { signal } from "@preact/signals";
import { nowMs } from "../app/clock.js";

/** Updated often, because a time that is rendered later must not differ from the same one elsewhere. */
const now = signal(nowMs());
setInterval(() => {
  now.value = nowMs();
}, 10_000);

/** Whether all times are exact. A click on any time, and the key `t`, change it. */
const isExact = signal(false);
document.addEventListener("click", ({ target }) => {
  const time = (target as Element).closest?.("time");
  if (time && !time.closest("a")) toggleExact();
});
export function toggleExact(): void {
  isExact.value = !isExact.value;
}

const HOUR = 3_600;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 24 * HOUR],
  ["hour", HOUR],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
/** Dates are in the format of the browser's language. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

export const exactTime = (atMs: number): string => exact.format(atMs);

/** Returns a time such as `5m ago`. */
export function relativeTime(atMs: number, fromMs: number): string {
  const seconds = Math.round((atMs - fromMs) / 1_000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  // If this clock is seconds behind, a time that has just passed must not appear to be in the future.
  if (unit === "second") return relative.format(seconds < 10 ? 0 : seconds, unit);
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Returns a relative time within half a day, and otherwise the calendar day. */
function shortTime(atMs: number, fromMs: number): string {
  if (Math.abs(atMs - fromMs) < 12 * HOUR * 1_000) return relativeTime(atMs, fromMs);
  const [at, from] = [new Date(atMs), new Date(fromMs)];
  const days = Math.round((at.setHours(0, 0, 0, 0) - from.setHours(0, 0, 0, 0)) / (24 * HOUR * 1_000));
  if (Math.abs(days) <= 1) return `${relative.format(days, "day")}, ${clock.format(atMs)}`;
  return at.getFullYear() === from.getFullYear()
    ? `${day.format(atMs)}, ${clock.format(atMs)}`
    : date.format(atMs);
}

/** @param soon what to show in place of `now`, for a time that lies ahead */
export function Time({ at, soon }: { at: string; soon?: string }) {
  const atMs = Date.parse(at);
  const text = isExact.value ? exact.format(atMs) : shortTime(atMs, Math.max(now.value, nowMs()));
  return (
    <time dateTime={at} title={exact.format(atMs)}>
      {text === "now" && soon ? soon : text}
    </time>
  );
}

/** A note such as `Last used 5m ago`. */
export function TimeNote({ text, at }: { text: string; at: string }) {
  return (
    <span class="quiet">
      {text} <Time at={at} />
    </span>
  );
}
