/** Selects the items for which a command runs. */
import type { InboxItem } from "../../../sdk/src/index.js";
import { handleSlug } from "../../profiles/endpoint.js";

export interface FilterFlags {
  /** Handles of senders. */
  from?: readonly string[];
  /** Refs of schemas, with or without a version. */
  schema?: readonly string[];
  kind?: readonly string[];
}

/** Returns whether an item matches: each given flag must match, with one of its values. */
export function itemFilter({ from, schema, kind }: FilterFlags): (item: InboxItem) => boolean {
  const senders = from?.map(handleSlug);
  return (item) =>
    (kind?.includes(item.kind) ?? true) &&
    (senders?.includes(senderOf(item) ?? "") ?? true) &&
    (schema?.some((ref) => isOfSchema(item, ref)) ?? true);
}

function senderOf(item: InboxItem): string | undefined {
  if (item.kind === "wire") return item.wire.sender;
  return item.kind === "knock" ? item.knock.from : undefined;
}

function isOfSchema(item: InboxItem, ref: string): boolean {
  if (item.kind !== "wire" || item.wire.schema_ref === null) return false;
  const { schema_ref } = item.wire;
  // `@acme/order` matches all versions, such as `@acme/order@2`.
  return schema_ref === ref || schema_ref.replace(/@\d+$/, "") === ref;
}
