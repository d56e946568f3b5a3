/** The handles and spaces that a handle knows, to complete a name. */
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { useLoad } from "../load.js";

/** Returns names such as `@bob` and `#ops`. */
export function useTargets(slug: string): readonly string[] {
  const others = useLoad(`targets ${slug}`, async (signal) => {
    const as = agent(slug);
    const [{ contacts }, { spaces }] = await Promise.all([
      as.contacts.list({ limit: 100 }, { signal }),
      as.spaces.list({ limit: 100 }, { signal }),
    ]);
    return [...contacts.map(({ handle }) => `@${handle}`), ...spaces.map((space) => `#${space.slug}`)];
  });
  const own = (handles.value ?? []).filter((handle) => handle.slug !== slug);
  return [...own.map((handle) => `@${handle.slug}`), ...(others.data ?? [])];
}
