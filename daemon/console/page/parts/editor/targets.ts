/** The handles and spaces that a handle knows, to complete a name. */
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { knownBy } from "../../app/known.js";
import { useLoad } from "../load.js";

/** Returns names such as `@bob` and `#ops`. */
export function useTargets(slug: string): readonly string[] {
  const spaces = useLoad(`targets ${slug}`, (signal) =>
    Array.fromAsync(agent(slug).spaces.list({ limit: 100 }, { signal })),
  );
  const own = (handles.value ?? []).map((handle) => handle.slug);
  const known = new Set([...own, ...(knownBy(slug).value?.contacts ?? [])]);
  known.delete(slug);
  return [...[...known].map((each) => `@${each}`), ...(spaces.data ?? []).map((space) => `#${space.slug}`)];
}
