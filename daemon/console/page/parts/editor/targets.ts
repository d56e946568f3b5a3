/** The handles and spaces that a handle knows, to complete a name. */
import type { InboxItem, Wire } from "@wireroom/sdk";
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { knownBy, readContacts } from "../../app/known.js";
import { pending } from "../../pages/approvals/store.js";
import { useReloaded } from "../load.js";
import { shownOf } from "../use-live.js";

export const TARGET = /^[@#][a-z0-9-]{3,32}$/;
/** Interval at which a form reads the names again, which an agent or another tab may have changed. */
const READ_AGAIN_MS = 10_000;

/** Returns names such as `@bob` and `#ops`. */
export function useTargets(slug: string): readonly string[] {
  const spaces = useReloaded(
    `targets ${slug}`,
    (signal) => {
      readContacts(slug).catch(() => {});
      return Array.fromAsync(agent(slug).spaces.list({ limit: 100 }, { signal }));
    },
    READ_AGAIN_MS,
  );
  const own = (handles.value ?? []).map((handle) => handle.slug);
  const known = new Set([...own, ...(knownBy(slug).value?.contacts.keys() ?? [])]);
  // Also those that other views have shown, without a request.
  for (const { handle, target } of pending.value ?? [])
    if (handle === slug && target.startsWith("@")) known.add(target.slice(1));
  for (const { wire } of shownOf<InboxItem>(`inbox ${slug}`))
    if (wire?.recipient === slug) known.add(wire.sender);
  for (const { recipient } of shownOf<Wire>(`sent ${slug} undefined`))
    if (recipient !== null) known.add(recipient);
  known.delete(slug);
  return [...[...known].map((each) => `@${each}`), ...(spaces.data ?? []).map((space) => `#${space.slug}`)];
}
