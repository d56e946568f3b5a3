/** Formats times, durations and sizes for humans. */
import { oneLine } from "./safe.js";

const TIME_UNITS = [
  [365 * 86_400, "y"],
  [30 * 86_400, "mo"],
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** Formats an RFC 3339 time relative to now, in the largest unit: `now`, `5 min ago`, `in 3 d`. */
export function relative(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1_000);
  if (Number.isNaN(seconds)) return oneLine(time);
  const distance = Math.abs(seconds);
  const unit = TIME_UNITS.find(([length]) => distance >= length);
  if (!unit) return distance < 10 ? "now" : seconds < 0 ? `${distance} s ago` : `in ${distance} s`;
  const count = `${Math.floor(distance / unit[0])} ${unit[1]}`;
  return seconds < 0 ? `${count} ago` : `in ${count}`;
}

/** Formats a duration with its two largest units: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.round(seconds);
  for (const [length, name] of [...TIME_UNITS.slice(2), [1, "s"] as const]) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

/** Returns a number with its noun: `1 wire`, `3 wires`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const SIZE_UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a number of bytes: `512 bytes`, `3.4 MiB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < SIZE_UNITS.length - 1; unit++) value /= 1024;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${SIZE_UNITS[unit]}`;
}
