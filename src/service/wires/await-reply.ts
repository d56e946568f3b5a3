import { WireroomError } from "../../contract/errors.js";
import type { Wire } from "../../contract/shapes.js";
import { canReadSpace } from "../../domain/visibility.js";
import type { RawJson } from "../../kernel/raw-json.js";
import { firstReply } from "../../store/wires/threads.js";
import { type StoredWire, wireById } from "../../store/wires/wires.js";
import { CallerRefused } from "../pipeline/authenticate.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { presentWire } from "../reading/present-wire.js";
import { readOrWait } from "../reading/read-or-wait.js";
import { topicOf } from "../reading/wire-pages.js";

/**
 * Waits up to `wait` seconds for the first direct reply to the caller's wire, and returns that reply. Counts
 * only replies that another handle sent, that the caller may see and that were not removed. Returns null if
 * no reply arrives, the wire is held for approval, or the caller can no longer read the wire's space. Also
 * returns null if the request cannot be held or the reply cannot be read, because the wire is already
 * committed.
 * @throws WireroomError 401 or 403 if the caller's credential became invalid during the wait
 */
export async function awaitReply(
  ctx: Context<Agent>,
  id: string,
  wait: number,
): Promise<RawJson<Wire> | null> {
  try {
    return await waitForReply(ctx, id, wait);
  } catch (error) {
    if (error instanceof CallerRefused) throw error;
    if (!(error instanceof WireroomError))
      ctx.store.log.error({ err: error, request_id: ctx.requestId }, "the reply to a wire could not be read");
    return null;
  }
}

async function waitForReply(ctx: Context<Agent>, id: string, wait: number): Promise<RawJson<Wire> | null> {
  const { reader } = ctx.store.engine;
  const handle = ctx.caller.pk;
  const sent = await wireById(reader, id, handle);
  if (!sent) return null;
  const { pk, thread } = sent;
  const search = { pk, thread, handle, isDm: sent.space === null, after: pk };
  let wire: StoredWire | undefined = sent;
  const answer = await readOrWait(ctx, {
    wait,
    topics: { ...topicOf({ handle, thread, space: sent.space?.pk ?? null }), status: handle },
    async read() {
      // After a wait, read the wire again, because the caller may have lost its membership.
      wire ??= await wireById(reader, id, handle);
      const { space } = wire!;
      wire = undefined;
      if (space && !canReadSpace(space)) return { reply: null };
      const row = await firstReply(reader, search);
      return row && { reply: await presentWire(reader, row, space) };
    },
    isNew: (found) => found !== undefined,
  });
  const reply = answer?.reply ?? null;
  if (reply) ctx.store.verification.assertValid(reply.json);
  return reply;
}
