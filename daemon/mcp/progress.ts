/**
 * Sends progress notifications while a tool call waits in a long poll. Many MCP hosts restart their timeout
 * at each notification, and would otherwise give up on the call (MCP, "Progress").
 */
import { HOLD_FIELDS } from "../../src/contract/fields.js";
import { monotonicMs, SECOND } from "../../src/kernel/clock.js";

const INTERVAL_MS = 5 * SECOND;
/** Every notification repeats the token. Real tokens are counters or UUIDs. */
const MAX_TOKEN_LENGTH = 256;

export interface ProgressNotification {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; message: string };
}

interface Message {
  method?: unknown;
  params?: { _meta?: { progressToken?: unknown }; arguments?: Record<string, unknown> };
}

/** Returns a call's progress token if the call may become a long poll. Ignores a long token. */
export function progressTokenOf(message: unknown): string | number | undefined {
  const { method, params } = (message ?? {}) as Message;
  const token = params?._meta?.progressToken;
  if (method !== "tools/call" || (typeof token !== "string" && typeof token !== "number")) return undefined;
  if (String(token).length > MAX_TOKEN_LENGTH) return undefined;
  return HOLD_FIELDS.some((field) => isPositive(params?.arguments?.[field])) ? token : undefined;
}

/** `Number` throws for some objects, so accept only numbers and their JSON text. */
function isPositive(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && Number(value) > 0;
}

/**
 * Sends a notification every 5 seconds until `work` is done, if there is a token.
 * @param isReading whether the client has read the earlier notifications; unread ones would fill the memory
 */
export async function withProgress<Result>(
  token: string | number | undefined,
  notify: (notification: ProgressNotification) => Promise<void>,
  isReading: () => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  if (token === undefined) return work();
  const startedMs = monotonicMs();
  const timer = setInterval(() => {
    if (!isReading()) return;
    const progress = Math.round((monotonicMs() - startedMs) / SECOND);
    const params = { progressToken: token, progress, message: `nothing new for ${progress} s` };
    // The client may have disconnected.
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  }, INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
