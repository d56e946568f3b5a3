/** What the switchboard lists of an entity, and whether it lists it at all (decisions, section 5). */
import type { Handle, Space } from "../../contract/shapes.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { LISTED_WORDS, listEntity, unlistEntity } from "../../store/entities.js";
import type { StoredSpace } from "../../store/spaces.js";

/** Only discoverable handles are listed. */
export async function listHandle(tx: Transaction, { pk, resource }: StoredHandle): Promise<void> {
  const { slug, tags, inbox_rule }: Handle = resource;
  if (!resource.discoverable) return unlistEntity(tx, "handle", slug);
  const words = LISTED_WORDS.handle(resource);
  await listEntity(tx, { kind: "handle", name: slug, target: pk, words, tags, rules: [inbox_rule] });
}

/** Only public spaces are listed. */
export async function listSpace(tx: Transaction, { pk, resource }: StoredSpace): Promise<void> {
  const { slug, tags, root_rule, reply_rule }: Space = resource;
  if (resource.visibility !== "public") return unlistEntity(tx, "space", slug);
  const words = LISTED_WORDS.space(resource);
  await listEntity(tx, {
    kind: "space",
    name: slug,
    target: pk,
    words,
    tags,
    rules: [root_rule, reply_rule],
  });
}

/** @param pk of the latest version */
export async function listSchema(tx: Transaction, subject: string, pk: number): Promise<void> {
  await listEntity(tx, {
    kind: "schema",
    name: subject,
    target: pk,
    words: LISTED_WORDS.schema(subject),
    tags: [],
    rules: [],
  });
}
