import { signal } from "@preact/signals";
import { nowMs } from "../app/clock.js";

/** Updated once a minute, so that relative times stay correct. */
const now = signal(nowMs());
setInterval(() => {
  now.value = nowMs();
}, 60_000);

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });

/** Returns a time such as `5 minutes ago`. */
export function relativeTime(atMs: number, fromMs: number): string {
  const seconds = Math.round((atMs - fromMs) / 1_000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return relative.format(unit === "second" ? 0 : Math.trunc(seconds / size), unit);
}

export function Time({ at }: { at: string }) {
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={exact.format(atMs)}>
      {relativeTime(atMs, Math.max(now.value, nowMs()))}
    </time>
  );
}
