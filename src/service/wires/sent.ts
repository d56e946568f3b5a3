import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import type { SentQuery } from "../../store/wires/sent.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { readableSpaceBatched } from "../shared/readable-space.js";
import { sentWires } from "../shared/sent-wires.js";

/** Returns a page of the caller's sent wires (docs/specification/reading.md#sent-wires). */
export const listSent = read("sent.list", async (ctx, { to, cursor, limit, brief }, session) => {
  const target = to === undefined ? undefined : await targetOf(ctx, session, to);
  const scope = ["sent.list", ctx.caller.id, JSON.stringify(target ?? null)];
  const query = { sender: ctx.caller.pk, to: target, cursor, limit, brief };
  return (await sentWires(ctx, session, scope, query)).body;
});

/**
 * Returns a target's primary key. Accepts retired handles too, because the wires sent to them remain. Throws
 * 404 for an unknown target.
 */
async function targetOf(ctx: Context<Agent>, session: Session, name: string): Promise<SentQuery["to"]> {
  if (name.startsWith("#")) return { space: (await readableSpaceBatched(ctx, name.slice(1))).pk };
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return { recipient: handle.pk };
}
