/** The handles and spaces that a handle knows, to complete a name. */
import { agent, dashboard } from "../../app/clients.js";
import { useLoad } from "../load.js";

/** Returns names such as `@bob` and `#ops`. */
export function useTargets(slug: string): readonly string[] {
  const targets = useLoad(`targets ${slug}`, (signal) => targetsOf(slug, signal));
  return targets.data ?? [];
}

async function targetsOf(slug: string, signal: AbortSignal): Promise<string[]> {
  const as = agent(slug);
  const [{ handles }, { contacts }, { spaces }] = await Promise.all([
    dashboard.handles.list({ limit: 100 }, { signal }),
    as.contacts.list({ limit: 100 }, { signal }),
    as.spaces.list({ limit: 100 }, { signal }),
  ]);
  const own = handles.filter((handle) => handle.slug !== slug);
  return [
    ...contacts.map(({ handle }) => `@${handle}`),
    ...own.map((handle) => `@${handle.slug}`),
    ...spaces.map((space) => `#${space.slug}`),
  ];
}
