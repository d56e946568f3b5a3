/** The caller's contacts and blocks. */
import { invalid } from "../../contract/errors.js";
import { isoTime, now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import type { Session } from "../../store/engine/engine.js";
import * as relations from "../../store/relations.js";
import { handleByName, handleByNameIncludingRetired, lockActiveCaller } from "../access/handles.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";

async function relatedPage(
  ctx: Context<Agent>,
  session: Session,
  relation: "contacts" | "blocks",
  input: { cursor?: string; limit?: number },
) {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const scope = [`${relation}.list`, ctx.caller.id];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { since: position[0]!, other: position[1]! };
  const related = await relations.listRelated(session, relation, ctx.caller.pk, after, limit + 1);
  return toPage(ctx, scope, related, limit, (row) => [row.since, row.other]);
}

export const listContacts = read("contacts.list", async (ctx, input, session) => {
  const { items, next_cursor } = await relatedPage(ctx, session, "contacts", input);
  const contacts = items.map(({ other, slug, since, showsPull, pulledAt }) => ({
    handle: slug,
    since: isoTime(since),
    last_pull_at: showsPull === 1 ? ctx.pulls.lastPullAt(other, pulledAt) : null,
  }));
  return { contacts, next_cursor };
});

export const removeContact = write("contacts.remove", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller);
  const other = await handleByName(tx, input.handle);
  const handle = other.resource.slug;
  if (other.account === ctx.caller.account.pk) {
    throw invalid({
      instancePath: "/handle",
      keyword: "handle",
      message: `@${handle} belongs to your own account; handles of one account are always contacts of each other`,
    });
  }
  return { handle, removed: await relations.removeContact(tx, ctx.caller.pk, other.pk) };
});

export const listBlocks = read("blocks.list", async (ctx, input, session) => {
  const { items, next_cursor } = await relatedPage(ctx, session, "blocks", input);
  return { blocks: items.map(({ slug, since }) => ({ handle: slug, since: isoTime(since) })), next_cursor };
});

export const addBlock = write("blocks.add", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller, [handleSlug(input.handle)]);
  const other = await handleByNameIncludingRetired(tx, input.handle);
  if (other.pk === ctx.caller.pk) {
    throw invalid({ instancePath: "/handle", keyword: "handle", message: "a handle cannot block itself" });
  }
  await relations.addBlock(tx, ctx.caller.pk, other.pk, now());
  return { handle: other.resource.slug, blocked: true };
});

export const removeBlock = write("blocks.remove", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller);
  const other = await handleByNameIncludingRetired(tx, input.handle);
  await relations.removeBlock(tx, ctx.caller.pk, other.pk);
  return { handle: other.resource.slug, blocked: false };
});
