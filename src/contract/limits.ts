/**
 * The rate limits of the API (docs/specification/limits.md#rate-limits). The configuration of the daemon can
 * change each of them.
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
    /**
     * Length of the sliding time window in seconds. It is `null` for a quota, because a quota has no time
     * window.
     */
    window: number | null;
    /** Whether the limit applies to each handle or to each account. */
    subject: "handle" | "account";
    counts: string;
  }
>;

export type LimitName = keyof typeof RATE_LIMITS;
export const LIMIT_NAMES = Object.keys(RATE_LIMITS) as LimitName[];

/**
 * Defaults of the other limits, which `GET /limits` does not list
 * (docs/specification/limits.md#accounts-and-handles).
 */
export const OTHER_LIMITS = {
  /** All handles of an account together have this many times each limit of a handle by minute or hour. */
  account_factor: 10,
  handles_per_account: 50,
  handles_per_hour: 20,
  keys_per_handle: 20,
  audited_per_minute: 60,
} as const satisfies Record<string, number>;

/** The configured value of each limit; `null` means unlimited. */
export type LimitSettings = Record<LimitName | keyof typeof OTHER_LIMITS, number | null>;
export const LIMIT_SETTINGS = [...LIMIT_NAMES, ...Object.keys(OTHER_LIMITS)] as (keyof LimitSettings)[];

export function defaultLimits(): LimitSettings {
  const rateLimits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, RATE_LIMITS[name].default]));
  return { ...(rateLimits as Record<LimitName, number>), ...OTHER_LIMITS };
}

/**
 * The longest window of a limit that an account has as a whole, in seconds. `wires_per_day` is a limit of
 * each handle alone.
 */
export const LONGEST_ACCOUNT_WINDOW = 3_600;

/**
 * Returns the limit of all handles of an account together; null if there is none beside the limit of each
 * handle.
 */
export function accountLimit(settings: LimitSettings, name: LimitName): number | null {
  const { subject, window } = RATE_LIMITS[name];
  const { [name]: limit, account_factor: factor } = settings;
  if (subject === "account" || window === null || window > LONGEST_ACCOUNT_WINDOW) return null;
  return limit === null || factor === null ? null : limit * factor;
}

/** The state of one limit, as GET /limits and the RateLimit headers report it. */
export interface LimitState {
  name: LimitName;
  limit: number | null;
  remaining: number | null;
  /**
   * Length of the time window in seconds. Null if the limit is switched off, or if it is a quota without a
   * window.
   */
  window: number | null;
  /**
   * Seconds until the oldest counted item leaves the window; 0 if nothing is used. Null if the limit is
   * switched off, or if it is a quota without a window.
   */
  reset: number | null;
}
