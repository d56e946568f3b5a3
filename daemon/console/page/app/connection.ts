/** Whether the daemon answers. All requests of the SDK clients pass here, and all tabs know the same. */
import { signal } from "@preact/signals";

const ASK_MS = 3_000;

export const isLost = signal(false);
/** Number of changes that this page has made. What was loaded before a change may be out of date. */
export let changes = 0;

/** What is loaded again when the daemon answers. */
const waiting = new Set<() => void>();
const tabs = new BroadcastChannel("wireroom-connection");
let timer: ReturnType<typeof setInterval> | undefined;

export async function request(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    const response = await fetch(url, init);
    tell(response.status === 502 || response.status === 504);
    if (response.ok && init.method !== "GET" && !url.endsWith("/token")) changes++;
    return response;
  } catch (error) {
    if (!init.signal.aborted) tell(true);
    throw error;
  }
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
    () => {},
  );
}

export function followConnection(): void {
  tabs.addEventListener("message", ({ data }: MessageEvent<boolean>) => set(data));
  addEventListener("online", ask);
}
