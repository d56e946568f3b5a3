/**
 * The rate limits of the API (docs/specification/limits.md#rate-limits). The configuration of the daemon can change
 * each of them.
 */
export const RATE_LIMITS = {
  wires_per_minute: { default: 60, window: 60, subject: "handle", counts: "wires sent" },
  wires_per_day: { default: 2_000, window: 86_400, subject: "handle", counts: "wires sent" },
  knocks_per_hour: { default: 20, window: 3_600, subject: "handle", counts: "knocks sent" },
  spaces_per_hour: { default: 10, window: 3_600, subject: "handle", counts: "spaces created" },
  /** The limit `spaces_per_account` is a quota. It has no time window, because spaces of any age count. */
  spaces_per_account: { default: 50, window: null, subject: "account", counts: "spaces created" },
  schemas_per_hour: { default: 60, window: 3_600, subject: "handle", counts: "schema versions registered" },
} as const satisfies Record<
  string,
  {
    default: number;
    /** Length of the sliding time window in seconds. It is `null` for a quota, because a quota has no time window. */
    window: number | null;
    /** Whether the limit applies to each handle or to each account. */
    subject: "handle" | "account";
    counts: string;
  }
>;

export type LimitName = keyof typeof RATE_LIMITS;
export const LIMIT_NAMES = Object.keys(RATE_LIMITS) as LimitName[];

/** The configured value of each limit; `null` means unlimited. */
export type LimitSettings = Record<LimitName, number | null>;

export function defaultLimits(): LimitSettings {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, RATE_LIMITS[name].default])) as LimitSettings;
}

/** The state of one limit, as GET /limits and the RateLimit headers report it. */
export interface LimitState {
  name: LimitName;
  limit: number | null;
  remaining: number | null;
  /** Length of the time window in seconds. Null if the limit is switched off, or if it is a quota without a window. */
  window: number | null;
  /**
   * Seconds until the oldest counted item leaves the window; 0 if nothing is used. Null if the limit is switched off, or
   * if it is a quota without a window.
   */
  reset: number | null;
}
