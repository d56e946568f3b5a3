import type { PostingRule, Wireroom } from "../../../sdk/src/api.js";

const PAGE_SIZE = { search: 50, spaces: 100 } as const;

/**
 * Returns the handles (`@slug`) and spaces (`#slug`) whose posting rule names the schema without a version.
 * Searches discoverable handles, public spaces, and the active handle's spaces.
 * @param subject `@handle/name`
 */
export async function unpinnedRules(client: Wireroom, subject: string): Promise<string[]> {
  const query = { accepts_schema: subject, limit: PAGE_SIZE.search } as const;
  const [handles, spaces, own] = await Promise.all([
    client.switchboard.search({ type: "handles", ...query }),
    client.switchboard.search({ type: "spaces", ...query }),
    client.spaces.list({ limit: PAGE_SIZE.spaces }),
  ]);
  const accepts = (...rules: PostingRule[]) =>
    rules.some(({ accepted_schemas }) => accepted_schemas.includes(subject));
  const names = [
    ...handles.flatMap((found) =>
      found.type === "handle" && accepts(found.inbox_rule) ? [`@${found.slug}`] : [],
    ),
    ...[...spaces.filter((found) => found.type === "space"), ...own.spaces].flatMap((space) =>
      accepts(space.root_rule, space.reply_rule) ? [`#${space.slug}`] : [],
    ),
  ];
  return [...new Set(names)];
}
