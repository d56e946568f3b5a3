import { similarHint } from "../../daemon/closest-word.js";
import type { Handle, WireroomDashboard } from "../../sdk/src/api.js";
import { Failure } from "../failure.js";
import { handleSlug } from "../profiles/endpoint.js";
import type { Session } from "../session.js";

/** A name that a handle can have (docs/specification/names.md#slugs). */
const POSSIBLE = /^(?!.*wireroom)[a-z0-9-]{3,32}$/;

export async function findOwnHandle(client: WireroomDashboard, name: string): Promise<Handle> {
  const slug = handleSlug(name);
  const slugs: string[] = [];
  for await (const handle of client.handles.list()) {
    if (handle.slug === slug) return handle;
    slugs.push(handle.slug);
  }
  throw await noOwnHandle(client, slug, slugs);
}

/**
 * Distinguishes an unknown handle from a retired one. Finds only handles that were retired in the last 400
 * days, because the audit log is kept for that time.
 */
export async function noOwnHandle(
  client: WireroomDashboard,
  slug: string,
  others: readonly string[] = [],
): Promise<Failure> {
  const list = "List your handles: wireroom handle list";
  if (await isRetired(client, slug))
    return new Failure("NOT_FOUND", `@${slug} is retired, and its name cannot be used again`, [list]);
  return new Failure("NOT_FOUND", `you have no handle @${slug}`, [
    ...similarHint(slug, others, "@"),
    list,
    ...(POSSIBLE.test(slug) ? [`Create it: wireroom handle create ${slug}`] : []),
  ]);
}

/** Returns the operators among the human's handles. Never throws. */
export async function ownOperators(session: Session): Promise<string[]> {
  const listed = session.dashboard().then((client) => client.handles.list());
  const { handles } = await listed.catch(() => ({ handles: [] }));
  return handles.filter(({ operator }) => operator).map(({ slug }) => slug);
}

/** Returns whether the human's account has retired this handle. Never throws. */
export async function isRetired(client: WireroomDashboard, slug: string): Promise<boolean> {
  const filter = { handle: slug, action: "handle.retired", limit: 1 } as const;
  return client.audit.list(filter).then(
    ({ entries }) => entries.length > 0,
    () => false,
  );
}
