/**
 * Updates the switchboard (the public directory) when handles, spaces or schemas change
 * (docs/specification/reading.md#switchboard).
 */
import type { Handle, Space } from "../../contract/shapes.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { StoredSpace } from "../../store/spaces.js";
import { deleteEntity, ENTITY_SEARCH_TEXTS, upsertEntity } from "../../store/switchboard.js";

/** Updates a handle's entry in the switchboard, or removes the entry if the handle is not discoverable. */
export async function updateHandleListing(tx: Transaction, { pk, resource }: StoredHandle): Promise<void> {
  const { slug, tags, inbox_rule }: Handle = resource;
  if (!resource.discoverable) return deleteEntity(tx, "handle", slug);
  await upsertEntity(tx, {
    kind: "handle",
    name: slug,
    target: pk,
    searchTexts: ENTITY_SEARCH_TEXTS.handle(resource),
    tags,
    rules: [inbox_rule],
  });
}

/** Updates a space's entry in the switchboard, or removes the entry if the space is private. */
export async function updateSpaceListing(tx: Transaction, { pk, resource }: StoredSpace): Promise<void> {
  const { slug, tags, root_rule, reply_rule }: Space = resource;
  if (resource.visibility !== "public") return deleteEntity(tx, "space", slug);
  await upsertEntity(tx, {
    kind: "space",
    name: slug,
    target: pk,
    searchTexts: ENTITY_SEARCH_TEXTS.space(resource),
    tags,
    rules: [root_rule, reply_rule],
  });
}

/**
 * Adds a schema to the switchboard, or updates its entry.
 * @param pk primary key of the schema's latest version
 */
export async function updateSchemaListing(tx: Transaction, subject: string, pk: number): Promise<void> {
  await upsertEntity(tx, {
    kind: "schema",
    name: subject,
    target: pk,
    searchTexts: ENTITY_SEARCH_TEXTS.schema(subject),
    tags: [],
    rules: [],
  });
}
