/**
 * Claims a wire, extends, finishes and gives back the claim, and reopens a finished wire
 * (docs/specification/rules.md#claims). Concurrent calls share a transaction. The wires' rows are locked, so
 * that only one of several callers gets the claim.
 */
import { invalid } from "../../contract/errors.js";
import { type EncodableOutput, type Input, operation } from "../../contract/index.js";
import { assertManagesClaims, notAllowed } from "../../domain/claims.js";
import type { EgressFacts } from "../../domain/egress.js";
import type { CallerUsage } from "../../domain/rate-limits.js";
import { isAllowed } from "../../domain/rule-features.js";
import { assertCanSeeWire, noSuchWire } from "../../domain/visibility.js";
import { isoTime } from "../../kernel/clock.js";
import { wireId } from "../../kernel/names.js";
import { egressFactsOfPosts } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip, RoundTrip } from "../../store/engine/selects.js";
import {
  endClaim,
  enqueueClaims,
  FOREVER,
  lockClaims,
  lockRightsOnWires,
  type NewClaim,
  type StoredClaim,
} from "../../store/wires/claims.js";
import { type WireSpace, type WireWithoutDoc, wiresWithoutDoc } from "../../store/wires/wires.js";
import { Unremembered } from "../pipeline/call.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { groupedWrite, write } from "../pipeline/handler.js";
import { loadUsage } from "../pipeline/rate-limits.js";
import { lockForCalls } from "../pipeline/transaction-locks.js";
import { assertMayClaimIn, attemptOf, claimEnd, claimToken, invalidToken } from "./claims.js";

const DEFINITION = operation("wires.claim");

interface WireCall {
  ctx: Context<Agent>;
  input: Input<"wires.claim">;
}

type SpaceWire = WireWithoutDoc & { space: WireSpace };

interface LockedWire {
  /** Undefined if the wire does not exist or is hidden. */
  wire: WireWithoutDoc | undefined;
  /** Undefined if nobody has claimed the wire. */
  claim: StoredClaim | undefined;
  egress: EgressFacts;
}

interface Facts extends LockedWire {
  usage: CallerUsage;
}

type Effect = NewClaim & StoredClaim;

interface Decision {
  answer: EncodableOutput<"wires.claim"> | Unremembered<EncodableOutput<"wires.claim">>;
  effect?: Effect;
  uses: number;
}

/** Estimated size of a stored claim. */
const CHARACTERS = 200;

export const claimWire = groupedWrite<"wires.claim", WireCall, Facts, Effect>("wires.claim", {
  characters: () => CHARACTERS,

  async prepare(ctx, input) {
    assertConsistent(input);
    return { ctx, input };
  },

  async load(tx, trip, calls, at) {
    const callers = calls.map(({ ctx }) => ctx.caller);
    const [, usage, wires] = await inOneRoundTrip([
      lockForCalls(tx, DEFINITION, calls, []),
      loadUsage(trip, calls[0]!.ctx.limits, DEFINITION.limits, callers, at),
      lockWires(
        tx,
        trip,
        calls.map(({ ctx, input }) => ({ ctx, name: input.id })),
      ),
    ]);
    return wires.map((wire, n) => ({ ...wire, usage: usage[n]! }));
  },

  // A handle at its limit can still extend and finish its claims, and reopen wires.
  isLimited: ({ input: { token, reopen } }) => token === undefined && !reopen,

  decide({ ctx, input }, facts, earlier, at) {
    const wire = assertInSpace(ctx, facts.wire);
    const claim = earlier.findLast((effect) => effect.wire === wire.pk) ?? facts.claim;
    if (input.reopen) return reopen(wire, claim, at);
    assertMayClaimIn(ctx, wire.space, facts.egress);
    assertClaimable(wire);
    if (input.token === undefined) return takeIfOpen(ctx, wire, claim, input.seconds, at);
    return keep(ctx, wire, claim, input, at);
  },

  async store(tx, accepted) {
    const last = new Map(accepted.map((effect) => [effect.wire, effect]));
    enqueueClaims(tx, [...last.values()]);
  },
});

function assertConsistent({ token, seconds, done, reopen }: Input<"wires.claim">): void {
  if (done && token === undefined)
    throw invalid({
      instancePath: "/done",
      keyword: "done",
      message: "`done` needs the `token` of the claim",
    });
  if (reopen && (token !== undefined || seconds !== undefined || done))
    throw invalid({
      instancePath: "/reopen",
      keyword: "reopen",
      message: "`reopen` takes none of the other fields",
    });
}

async function lockWires(
  tx: Transaction,
  trip: RoundTrip,
  wanted: readonly { ctx: Context<Agent>; name: string }[],
): Promise<LockedWire[]> {
  const named = wanted.map(({ ctx, name }) => ({ id: wireId(ctx.baseUrl, name), handle: ctx.caller.pk }));
  const ids = named.map(({ id }) => id);
  lockRightsOnWires(tx, ids);
  const [, wires] = await inOneRoundTrip([tx.lock("wires", "id", ids), wiresWithoutDoc(trip, named)]);
  const { floors } = wanted[0]!.ctx.store;
  for (const [n, wire] of wires.entries())
    if (wire && (await floors.hides({ pk: wire.pk, retainDays: wire.space?.retainDays ?? null })))
      wires[n] = undefined;
  const [claims, egress] = await inOneRoundTrip([
    lockClaims(
      tx,
      wires.flatMap((wire) => (wire ? [wire.pk] : [])),
    ),
    egressFactsOfPosts(
      trip,
      wanted.map(({ ctx }, n) => ({ sender: ctx.caller, target: `#${wires[n]?.space?.slug}` })),
    ),
  ]);
  return wires.map((wire, n) => ({ wire, claim: wire && claims.get(wire.pk), egress: egress[n]! }));
}

function assertInSpace({ caller }: Context<Agent>, wire: WireWithoutDoc | undefined): SpaceWire {
  if (!wire) throw noSuchWire();
  assertCanSeeWire(wire, caller.pk);
  if (!wire.space) throw notAllowed("a DM wire cannot be claimed");
  return { ...wire, space: wire.space };
}

function assertClaimable(wire: SpaceWire): void {
  if (wire.tombstone) throw notAllowed("a removed wire cannot be claimed");
  if (!isAllowed("claimable", wire, wire.space))
    throw notAllowed("the rule that governs this wire is not claimable");
}

function reopen(wire: SpaceWire, claim: StoredClaim | undefined, at: number): Decision {
  assertManagesClaims(wire.space, "reopen a finished wire");
  assertClaimable(wire);
  if (!claim?.done || claim.until <= at)
    throw invalid({ instancePath: "/reopen", keyword: "reopen", message: "the wire is not finished" });
  return { answer: { reopened: true }, effect: changed(wire, claim, { until: 0, done: 0 }), uses: 0 };
}

function takeIfOpen(
  ctx: Context<Agent>,
  wire: SpaceWire,
  claim: StoredClaim | undefined,
  seconds: number | undefined,
  at: number,
): Decision {
  if (claim && claim.until > at) {
    const { by, until, done } = claim;
    return { answer: new Unremembered({ claimed: false, by, until: done ? null : isoTime(until) }), uses: 0 };
  }
  const until = claimEnd(seconds, at);
  const attempt = (claim?.attempt ?? 0) + 1;
  const { pk: holder, slug: by } = ctx.caller;
  return {
    answer: { claimed: true, token: claimToken(ctx, wire.id, attempt), until: isoTime(until), attempt },
    effect: changed(wire, { attempt, holder, by, until, done: 0 }),
    uses: 1,
  };
}

/** Extends or finishes the wire's last claim, even if it has expired. */
function keep(
  ctx: Context<Agent>,
  wire: SpaceWire,
  claim: StoredClaim | undefined,
  { token = "", seconds, done }: Input<"wires.claim">,
  at: number,
): Decision {
  const attempt = attemptOf(ctx, wire.id, token);
  if (!claim || claim.attempt !== attempt || claim.until === 0) throw invalidToken();
  const isHeld = claim.until > at;
  const isDone = claim.done === 1 && isHeld;
  if (claim.done && !(isDone && done)) throw invalidToken();
  if (done) {
    const answer = { claimed: true, done: true, token, until: null, attempt };
    if (isDone) return { answer, uses: 0 };
    return { answer, effect: changed(wire, claim, { until: FOREVER, done: 1 }), uses: isHeld ? -1 : 0 };
  }
  const until = claimEnd(seconds, at);
  return {
    answer: { claimed: true, token, until: isoTime(until), attempt },
    effect: changed(wire, claim, { until }),
    uses: isHeld ? 0 : 1,
  };
}

function changed(wire: SpaceWire, claim: StoredClaim, change: Partial<StoredClaim> = {}): Effect {
  return { ...claim, ...change, wire: wire.pk, space: wire.space.pk };
}

export const releaseWire = write("wires.unclaim", async (ctx, { id: name, token }, tx) => {
  const [found] = await lockWires(tx, new RoundTrip(tx), [{ ctx, name }]);
  const wire = assertInSpace(ctx, found!.wire);
  if (token === undefined) {
    assertManagesClaims(wire.space, "end a claim without its token");
    assertClaimable(wire);
  }
  const attempt = token === undefined ? undefined : attemptOf(ctx, wire.id, token);
  const { claim } = found!;
  if (claim && !claim.done && claim.attempt === (attempt ?? claim.attempt)) await endClaim(tx, wire.pk);
  return { released: true };
});
