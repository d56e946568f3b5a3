/** Selects the items for which the command runs. */
import type { CallOptions, InboxItem, Wireroom } from "../../../sdk/src/api.js";
import { hasOrigin, type OriginFlags } from "../../input/origin.js";
import { itemFacts } from "../../output/show/inbox.js";
import { handleSlug } from "../../profiles/endpoint.js";

export interface FilterFlags extends OriginFlags {
  from?: readonly string[];
  schema?: readonly string[];
  kind?: readonly string[];
}

/** Returns a function that tests an item. For each given flag, at least one of its values must match. */
export function itemFilter(flags: FilterFlags): (item: InboxItem) => boolean {
  const { from, schema, kind } = flags;
  const senders = from?.map((handle) => `@${handleSlug(handle)}`);
  return (item) =>
    (kind?.includes(item.kind) ?? true) &&
    (senders?.includes(itemFacts(item).from ?? "") ?? true) &&
    (schema?.some((ref) => isOfSchema(item, ref)) ?? true) &&
    hasOrigin(flags, item.kind === "wire" ? item.wire.origin : undefined);
}

/** Returns a warning for each filter that no item can match. */
export async function filterWarnings(
  { from = [], schema = [], kind, relation, sentBy, space }: FilterFlags & { space?: string | undefined },
  client: Wireroom,
  options: CallOptions,
): Promise<string[]> {
  const lookups: { find: () => Promise<unknown>; missing: string }[] = [
    ...from.map((handle) => {
      const to = `@${handleSlug(handle)}`;
      const find = () => client.sent.list({ to, limit: 1 }, options);
      return { find, missing: `handle ${to}, so no item is from it` };
    }),
    ...schema.map((ref) => {
      const find = () => client.schemas.get({ ref }, options);
      return { find, missing: `schema ${ref}, so no wire has it` };
    }),
  ];
  const warnings: string[] = [];
  for (const { find, missing } of lookups)
    await find().catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== "NOT_FOUND") throw error;
      warnings.push(`warning: there is no ${missing}`);
    });
  const isForWires = schema.length > 0 || [relation, sentBy, space].some((flag) => flag !== undefined);
  if ((isForWires && kind?.includes("wire") === false) || (space !== undefined && relation !== undefined))
    warnings.push("warning: no item can match these filters together");
  return warnings;
}

/** Maximum number of unacknowledged items that a watch sees at a time. `inbox.work` allows no more. */
const WINDOW = 100;

export class LeftItems {
  #senders: (string | null)[] = [];

  add(item: InboxItem): void {
    this.#senders = [...this.#senders, itemFacts(item).from].slice(-WINDOW);
  }

  warning(): string {
    const counts = new Map<string, number>();
    for (const sender of this.#senders)
      if (sender !== null) counts.set(sender, (counts.get(sender) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    const who = most === undefined ? "" : `, ${most[1]} of them from ${most[0]}`;
    return `the ${WINDOW} oldest unread items do not match${who}, so newer ones are not seen; acknowledge them with wireroom inbox, or use --pass; wireroom profile set --contact-policy contacts_only keeps strangers out`;
  }
}

function isOfSchema(item: InboxItem, ref: string): boolean {
  if (item.kind !== "wire" || item.wire.schema_ref === null) return false;
  const { schema_ref } = item.wire;
  // A ref without a version, such as `@acme/order`, matches all versions.
  return schema_ref === ref || schema_ref.replace(/@\d+$/, "") === ref;
}
