const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTES_A_DAY = 24 * 60;

/** Returns whether a text is an RFC 3339 `full-date` that exists in the calendar. */
export function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Returns whether a text is an RFC 3339 `full-time`. Second 60 is valid only at 23:59 UTC. */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (!match) return false;
  const [hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 5, 6].map((i) => Number(match[i] ?? 0));
  if (hour! > 23 || minute! > 59 || second! > 60 || offsetHour! > 23 || offsetMinute! > 59) return false;
  if (second! < 60) return true;
  const offset = (match[4] === "-" ? -1 : 1) * (offsetHour! * 60 + offsetMinute!);
  const utc = (hour! * 60 + minute! - offset + MINUTES_A_DAY) % MINUTES_A_DAY;
  return utc === MINUTES_A_DAY - 1;
}

export function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DATE_PART = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`;
const TIME_PART = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`;
const DURATION = new RegExp(`^P(?:${DATE_PART}(?:${TIME_PART})?|${TIME_PART}|\\d+W)$`);

/**
 * Returns whether a text is an RFC 3339 `duration` (appendix A). Units must be consecutive: `P1Y1D` is
 * invalid because it skips the months.
 */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}
