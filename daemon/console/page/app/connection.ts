/** Tells whether the daemon answers, in all tabs alike. All requests of the SDK clients pass here. */
import { signal } from "@preact/signals";
import { WireroomError } from "@wireroom/sdk";
import { channelOf } from "./memory.js";

const ASK_MS = 3_000;
/** Statuses that a reverse proxy returns if the daemon does not answer. */
const PROXY_STATUSES: readonly unknown[] = [502, 504];

export const isLost = signal(false);
/** Number of changes that this page has made. Data that was loaded before a change may be out of date. */
export let changes = 0;

/** Functions to call when the daemon answers again. */
const waiting = new Set<() => void>();
const tabs = channelOf("wireroom-connection");
let timer: ReturnType<typeof setInterval> | undefined;

export async function request(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    const response = await fetch(url, init);
    tell(PROXY_STATUSES.includes(response.status));
    if (response.ok && init.method !== "GET" && !url.endsWith("/token")) changes++;
    return response;
  } catch (error) {
    if (!init.signal.aborted) tell(true);
    throw error;
  }
}

export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof WireroomError &&
    (error.code === "CONNECTION_FAILED" || PROXY_STATUSES.includes(error.status))
  );
}

/** Calls `run` once, when the daemon answers again. Returns a function that cancels this. */
export function whenBack(run: () => void): () => void {
  waiting.add(run);
  return () => waiting.delete(run);
}

function tell(lost: boolean): void {
  if (isLost.value !== lost) tabs.postMessage(lost);
  set(lost);
}

function set(lost: boolean): void {
  if (isLost.value === lost) return;
  isLost.value = lost;
  clearInterval(timer);
  if (lost) timer = setInterval(ask, ASK_MS);
  else for (const run of [...waiting]) if (waiting.delete(run)) run();
}

function ask(): void {
  fetch("/healthz", { signal: AbortSignal.timeout(ASK_MS) }).then(
    ({ ok }) => ok && tell(false),
    // While the browser is online, an older request may fail after a newer one has succeeded.
    () => navigator.onLine || tell(true),
  );
}

export function followConnection(): void {
  tabs.addEventListener("message", ({ data }: MessageEvent<boolean>) => set(data));
  addEventListener("online", ask);
  // The daemon may be on this machine, and still answer.
  addEventListener("offline", ask);
}
