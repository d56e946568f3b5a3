/** The human's handles, and the acting handle: that of the URL's `?as=`, or else the last one. */
import { computed, effect, signal } from "@preact/signals";
import type { Handle } from "@wireroom/sdk";
import { dashboard } from "./clients.js";
import { whenBack } from "./connection.js";
import { local } from "./memory.js";
import { query } from "./router.js";
import { session } from "./session.js";
import { whileVisible } from "./while-visible.js";

const KEY = "wireroom-handle";
const READ_AGAIN_MS = 60_000;

/** Undefined until the handles are loaded. */
export const handles = signal<readonly Handle[] | undefined>(undefined);
export const handlesProblem = signal<unknown>(undefined);
const last = signal(local.getItem(KEY));

/** Slug of the acting handle. Undefined if the human has no handle. */
export const acting = computed(() => {
  const slugs = (handles.value ?? []).map(({ slug }) => slug);
  return [query.value.get("as"), last.value, slugs[0]].find((slug) => slugs.includes(slug!)) ?? undefined;
});

/** Slug of the handle as which the operator pages act. Undefined if no handle is an operator. */
export const operating = computed(() => {
  const slugs = (handles.value ?? []).filter(({ operator }) => operator).map(({ slug }) => slug);
  return slugs.find((slug) => slug === acting.value) ?? slugs[0];
});

export function actAs(slug: string): void {
  last.value = slug;
}

export async function reloadHandles(): Promise<void> {
  try {
    handles.value = await Array.fromAsync(dashboard.handles.list({ limit: 100 }));
    handlesProblem.value = undefined;
  } catch (error) {
    handlesProblem.value = error;
    // The same function each time, so that it is called once however often this has failed.
    whenBack(reloadHandles);
  }
}

export function followActing(): void {
  // A command line or another tab may have created or changed handles.
  whileVisible(() => session.value === "signed-in" && reloadHandles(), READ_AGAIN_MS);
  effect(() => {
    if (session.value === "signed-in") void reloadHandles();
    else handles.value = undefined;
  });
  effect(() => {
    if (acting.value !== undefined) last.value = acting.value;
  });
  effect(() => {
    if (session.value === "signed-out" || session.value === "deleted") local.removeItem(KEY);
    else if (last.value !== null) local.setItem(KEY, last.value);
  });
}
