/**
 * POST /spaces/{slug}/claims: claims open root wires of a space, and waits for one if there is none
 * (docs/specification/rules.md#work-on-a-queue). A new wire wakes one waiting request. A request that was
 * woken and has claimed something, or has failed, wakes the next one, so that no wire is left while requests
 * wait.
 */
import type { Output } from "../../contract/index.js";
import { countFitting } from "../../contract/page-size.js";
import { notAllowed } from "../../domain/claims.js";
import type { SpaceTarget } from "../../domain/posting.js";
import { canReadSpace, noSuchSpace } from "../../domain/visibility.js";
import { isoTime, now } from "../../kernel/clock.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { egressFacts } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip } from "../../store/engine/selects.js";
import { spaceTargets } from "../../store/posting/facts.js";
import { claimChanges } from "../../store/wires/claim-changes.js";
import { lockRightToClaim, type OpenWiresQuery, openWires, takeClaims } from "../../store/wires/claims.js";
import { wiresByPk, withDocs } from "../../store/wires/pages.js";
import { type Call, Unremembered, type WriteOutcome } from "../pipeline/call.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite, type WriteHandler } from "../pipeline/handler.js";
import { readLimitStates } from "../pipeline/rate-limits.js";
import { presentWires } from "../reading/present-wire.js";
import { readOrWait } from "../reading/read-or-wait.js";
import { assertMayClaimIn, claimEnd, claimToken } from "./claims.js";

type ClaimedWire = Output<"spaces.claim">["claims"][number];

const NONE = { claims: [] };
const NO_CLAIMS = encodeJson(NONE);

const claimOnce = preparedWrite("spaces.claim", {
  /** Finds where the space's unclaimed wires begin, because the search may be long. */
  async prepare(ctx, { slug }) {
    const space = await spaceOf(ctx, slug);
    return space ? ctx.store.unclaimed.after(space.pk) : 0;
  },

  async run(ctx, { slug, seconds, limit = 1 }, tx, unclaimedAfter) {
    if (ctx.signal.aborted) return new Unremembered(NONE);
    lockRightToClaim(tx, { slug });
    const at = now();
    const [[space], egress, [state]] = await inOneRoundTrip([
      spaceTargets.run(tx, [{ handle: ctx.caller.pk, slug }]),
      egressFacts(tx, ctx.caller.pk, `#${slug}`),
      readLimitStates(tx, ctx.limits, ["claims_per_handle"], ctx.caller, at),
    ]);
    if (!space || !canReadSpace(space)) throw noSuchSpace(slug);
    assertMayClaimIn(ctx, { ...space, slug }, egress);
    if (!space.rootRule.claimable) throw notAllowed(`the root_rule of #${slug} is not claimable`);
    const count = Math.min(limit, state!.remaining ?? limit);
    // The pipeline refuses the call if this is 0.
    if (count === 0) return NONE;
    const until = claimEnd(seconds, at);
    const taken = await take(ctx, tx, await searchOf(ctx, space, unclaimedAfter, at), count, until);
    if (taken.length === 0) return new Unremembered(NONE);
    const pages = await wiresByPk(
      tx,
      taken.map(({ pk }) => pk),
    );
    const wires = await presentWires(tx, await withDocs(tx, pages), () => space);
    return {
      claims: taken.map(({ id, attempt }, n) => {
        ctx.store.verification.assertValid(wires[n]!.json);
        const claim = {
          wire: wires[n]!,
          token: claimToken(ctx, id, attempt),
          until: isoTime(until),
          attempt,
        };
        return new RawJson<ClaimedWire>(encodeJson(claim));
      }),
    };
  },
});

function spaceOf(ctx: Context<Agent>, slug: string): Promise<SpaceTarget | null> {
  return ctx.store.engine.readBatched(spaceTargets, { handle: ctx.caller.pk, slug });
}

async function searchOf(
  { store }: Context<Agent>,
  { pk: space, retainDays }: SpaceTarget,
  unclaimedAfter: number,
  at: number,
): Promise<OpenWiresQuery> {
  const floor = await store.floors.of(retainDays);
  return { space, floor, unclaimedAfter: Math.max(floor, unclaimedAfter), at };
}

interface Taken {
  pk: number;
  id: string;
  attempt: number;
}

/** Claims up to `count` wires, and fewer if they would exceed the size of a page. */
async function take(
  { caller }: Context<Agent>,
  tx: Transaction,
  query: OpenWiresQuery,
  count: number,
  until: number,
): Promise<Taken[]> {
  const { at } = query;
  const taken: Taken[] = [];
  const sizes: number[] = [];
  while (taken.length < count) {
    const found = await openWires(tx, query, count - taken.length);
    const fitting = found.slice(
      0,
      countFitting([...sizes, ...found.map(({ bytes }) => bytes)]) - sizes.length,
    );
    if (fitting.length === 0) break;
    // On PostgreSQL, another transaction may have claimed some of them since they were found.
    const attempts = await takeClaims(
      tx,
      fitting.map(({ pk }) => pk),
      { holder: caller.pk, until, at },
    );
    for (const { pk, id, bytes } of fitting) {
      const attempt = attempts.get(pk);
      if (attempt === undefined) continue;
      taken.push({ pk, id, attempt });
      sizes.push(bytes);
    }
  }
  return taken;
}

export const claimInSpace: WriteHandler<"spaces.claim"> = {
  ...claimOnce,

  async run(call) {
    const { ctx, input } = call;
    const space = await spaceOf(ctx, input.slug);
    // The transaction then throws the error that takes precedence.
    if (!space || !canReadSpace(space)) return claimOnce.run(call);
    if (input.wait) ctx.store.expiredClaims.watch();
    let isFirst = true;
    return readOrWait<WriteOutcome>(ctx, {
      wait: input.wait,
      topics: { claims: space.pk, status: ctx.caller.pk },
      async read() {
        // All waiting requests may be woken although no wire is open, so they first share one read.
        if (!isFirst && !(await hasChanged(ctx, space))) return { body: NO_CLAIMS };
        isFirst = false;
        return attempt(call, space.pk);
      },
      isNew: ({ body }) => body !== NO_CLAIMS,
    });
  },
};

async function hasChanged(ctx: Context<Agent>, space: SpaceTarget): Promise<boolean> {
  const { engine, unclaimed } = ctx.store;
  const search = await searchOf(ctx, space, await unclaimed.after(space.pk), now());
  return engine.readBatched(claimChanges, { ...search, handle: ctx.caller.pk });
}

/** Wakes the next waiting request, unless the space had no open wire left. */
async function attempt(call: Call<"spaces.claim">, space: number): Promise<WriteOutcome> {
  const { signal, store } = call.ctx;
  let isDrained = false;
  try {
    const outcome = await claimOnce.run(call);
    isDrained = outcome.body === NO_CLAIMS && !signal.aborted;
    return outcome;
  } finally {
    if (!isDrained) store.notifier.wakeClaimer(space);
  }
}
