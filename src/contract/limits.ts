/** The rate limits (specification, section 8; decisions, sections 4 and 12). Each is a setting of the daemon. */
export const RATE_LIMITS = {
  wires_per_minute: { default: 60, window: 60, subject: "handle", counts: "wires sent" },
  wires_per_day: { default: 2_000, window: 86_400, subject: "handle", counts: "wires sent" },
  knocks_per_hour: { default: 20, window: 3_600, subject: "handle", counts: "knocks sent" },
  spaces_per_hour: { default: 10, window: 3_600, subject: "handle", counts: "spaces created" },
  /** A quota: waiting does not help, so it has no window. */
  spaces_per_account: { default: 50, window: null, subject: "account", counts: "spaces created" },
  schemas_per_hour: { default: 60, window: 3_600, subject: "handle", counts: "schema versions registered" },
} as const satisfies Record<
  string,
  {
    default: number;
    /** Seconds of the sliding window; `null` for a quota that has none. */
    window: number | null;
    /** Whose acts are counted. */
    subject: "handle" | "account";
    counts: string;
  }
>;

export type LimitName = keyof typeof RATE_LIMITS;
export const LIMIT_NAMES = Object.keys(RATE_LIMITS) as LimitName[];

/** The limits in force: a number, or `null` where one is lifted. */
export type LimitSettings = Record<LimitName, number | null>;

export function defaultLimits(): LimitSettings {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, RATE_LIMITS[name].default])) as LimitSettings;
}

/** What is left of one limit, as GET /limits and the RateLimit headers show it. */
export interface LimitState {
  name: LimitName;
  limit: number | null;
  remaining: number | null;
  /** Seconds; null where lifted, and for a quota. */
  window: number | null;
  /** Seconds until the next one is freed; 0 with nothing used, null where lifted, and for a quota. */
  reset: number | null;
}
