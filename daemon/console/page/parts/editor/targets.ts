/** The handles and spaces that a handle knows, to complete a name. */
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { knownBy, readContacts } from "../../app/known.js";
import { useReloaded } from "../load.js";

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
  known.delete(slug);
  return [...[...known].map((each) => `@${each}`), ...(spaces.data ?? []).map((space) => `#${space.slug}`)];
}
