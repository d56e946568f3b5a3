/**
 * The rate limits of the API (docs/specification/limits.md#rate-limits). The daemon's configuration can
 * change each limit.
 */
export const RATE_LIMITS = {
  wires_per_minute: { default: 60, window: 60, subject: "handle", counts: "wires sent" },
  wires_per_day: { default: 2_000, window: 86_400, subject: "handle", counts: "wires sent" },
  knocks_per_hour: { default: 20, window: 3_600, subject: "handle", counts: "knocks sent" },
  spaces_per_hour: { default: 10, window: 3_600, subject: "handle", counts: "spaces created" },
  /** A quota, not a rate limit: it has no time window, because spaces of any age count. */
  spaces_per_account: { default: 50, window: null, subject: "account", counts: "spaces created" },
  schemas_per_hour: { default: 60, window: 3_600, subject: "handle", counts: "schema versions registered" },
  mentions_per_hour: { default: 60, window: 3_600, subject: "handle", counts: "mentions" },
  /** A quota: only claims that the handle holds now count. */
  claims_per_handle: { default: 20, window: null, subject: "handle", counts: "claims held" },
} as const satisfies Record<
  string,
  {
    default: number;
    /** In seconds; null for a quota. */
    window: number | null;
    subject: "handle" | "account";
    counts: string;
  }
>;

export type LimitName = keyof typeof RATE_LIMITS;
export const LIMIT_NAMES = Object.keys(RATE_LIMITS) as LimitName[];

/**
 * Defaults of the limits that `GET /limits` does not list
 * (docs/specification/limits.md#accounts-and-handles).
 */
const OTHER_LIMITS = {
  /**
   * Each limit per minute or hour also applies to all handles of an account together, multiplied by this
   * factor.
   */
  account_factor: 10,
  handles_per_account: 50,
  handles_per_hour: 20,
  keys_per_handle: 20,
  audited_per_minute: 60,
  /** The most `hops` of a reply (docs/specification/limits.md#replies). */
  reply_hops: 100,
} as const satisfies Record<string, number>;

/** The configured value of each limit; `null` means unlimited. */
export type LimitSettings = Record<LimitName | keyof typeof OTHER_LIMITS, number | null>;
export const LIMIT_SETTINGS = [...LIMIT_NAMES, ...Object.keys(OTHER_LIMITS)] as (keyof LimitSettings)[];

export function defaultLimits(): LimitSettings {
  const rateLimits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, RATE_LIMITS[name].default]));
  return { ...(rateLimits as Record<LimitName, number>), ...OTHER_LIMITS };
}

/**
 * The longest time window, in seconds, of a limit that the handles of an account share. (The longer limit
 * `wires_per_day` applies to each handle separately.)
 */
export const LONGEST_ACCOUNT_WINDOW = 3_600;

/** Returns the limit that all handles of an account share, or null if the handles share no limit. */
export function accountLimit(settings: LimitSettings, name: LimitName): number | null {
  const { subject, window } = RATE_LIMITS[name];
  const { [name]: limit, account_factor: factor } = settings;
  if (subject === "account" || window === null || window > LONGEST_ACCOUNT_WINDOW) return null;
  return limit === null || factor === null ? null : limit * factor;
}

/** The state of one limit, as reported by GET /limits and the RateLimit headers. */
export interface LimitState {
  name: LimitName;
  limit: number | null;
  remaining: number | null;
  /** In seconds. Null if the limit is switched off, or is a quota. */
  window: number | null;
  /**
   * Seconds until the oldest counted item leaves the window; 0 if nothing is counted. Null if the limit is
   * switched off, or is a quota.
   */
  reset: number | null;
}
