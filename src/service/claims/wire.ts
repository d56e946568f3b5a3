/**
 * Claims a wire, extends, finishes and gives back the claim, and reopens a finished wire
 * (docs/specification/rules.md#claims). The wire's row is locked, so that only one of several callers gets
 * the claim.
 */
import { invalid } from "../../contract/errors.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import { assertManagesClaims, notAllowed } from "../../domain/claims.js";
import { isAllowed } from "../../domain/rule-features.js";
import { isoTime, now } from "../../kernel/clock.js";
import { wireId } from "../../kernel/names.js";
import { egressFacts } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import {
  claimOf,
  endClaim,
  extendClaim,
  finishClaim,
  lockRightToClaim,
  type StoredClaim,
  takeClaims,
} from "../../store/wires/claims.js";
import type { StoredWire, WireSpace } from "../../store/wires/wires.js";
import { visibleWire } from "../access/wires.js";
import { Unremembered } from "../pipeline/call.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite, write } from "../pipeline/handler.js";
import { findRateLimitError } from "../pipeline/rate-limits.js";
import { assertMayClaimIn, attemptOf, claimEnd, claimToken, invalidToken } from "./claims.js";

type SpaceWire = StoredWire & { space: WireSpace };
type Answer = EncodableOutput<"wires.claim">;

export const claimWire = preparedWrite("wires.claim", {
  prepare: async (_ctx, input) => assertConsistent(input),

  // Who holds as many claims as it may can still extend and finish them.
  isLimited: ({ token, reopen }) => token === undefined && !reopen,

  async run(ctx, input, tx) {
    const wire = await lockWire(ctx, tx, input.id);
    if (input.reopen) return reopen(tx, wire);
    assertMayClaimIn(ctx, wire.space, await egressFacts(tx, ctx.caller.pk, `#${wire.space.slug}`));
    assertClaimable(wire);
    const claim = await claimOf(tx, wire.pk);
    return input.token === undefined
      ? takeIfOpen(ctx, tx, wire, claim, input.seconds)
      : keep(ctx, tx, wire, claim, input);
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

async function lockWire(ctx: Context<Agent>, tx: Transaction, name: string): Promise<SpaceWire> {
  const id = wireId(ctx.baseUrl, name);
  await tx.lock("wires", "id", [id]);
  lockRightToClaim(tx, { wireId: id });
  const wire = await visibleWire(ctx, tx, name);
  if (!wire.space) throw notAllowed("a DM wire cannot be claimed");
  return { ...wire, space: wire.space };
}

function assertClaimable(wire: SpaceWire): void {
  if (wire.tombstone) throw notAllowed("a removed wire cannot be claimed");
  if (!isAllowed("claimable", wire, wire.space))
    throw notAllowed("the rule that governs this wire is not claimable");
}

async function reopen(tx: Transaction, wire: SpaceWire): Promise<Answer> {
  assertManagesClaims(wire.space, "reopen a finished wire");
  assertClaimable(wire);
  const claim = await claimOf(tx, wire.pk);
  if (!claim?.done || claim.until <= now())
    throw invalid({ instancePath: "/reopen", keyword: "reopen", message: "the wire is not finished" });
  await endClaim(tx, wire.pk);
  return { reopened: true };
}

async function takeIfOpen(
  ctx: Context<Agent>,
  tx: Transaction,
  { pk, id }: SpaceWire,
  claim: StoredClaim | undefined,
  seconds: number | undefined,
): Promise<Answer | Unremembered<Answer>> {
  const at = now();
  if (claim && claim.until > at) {
    const { by, until, done } = claim;
    return new Unremembered<Answer>({ claimed: false, by, until: done ? null : isoTime(until) });
  }
  const until = claimEnd(seconds, at);
  const attempt = (await takeClaims(tx, [pk], { holder: ctx.caller.pk, until, at })).get(pk)!;
  return { claimed: true, token: claimToken(ctx, id, attempt), until: isoTime(until), attempt };
}

/** Extends or finishes the wire's last claim, even if it has expired. */
async function keep(
  ctx: Context<Agent>,
  tx: Transaction,
  { pk, id }: SpaceWire,
  claim: StoredClaim | undefined,
  { token = "", seconds, done }: Input<"wires.claim">,
): Promise<Answer> {
  const at = now();
  const attempt = attemptOf(ctx, id, token);
  if (!claim || claim.attempt !== attempt || claim.until === 0) throw invalidToken();
  const isDone = claim.done === 1 && claim.until > at;
  if (claim.done && !(isDone && done)) throw invalidToken();
  if (done) {
    if (!isDone) await finishClaim(tx, pk);
    return { claimed: true, done: true, token, until: null, attempt };
  }
  const limited =
    claim.until <= at && (await findRateLimitError(tx, ctx.limits, ["claims_per_handle"], ctx.caller, at));
  if (limited) throw limited;
  const until = claimEnd(seconds, at);
  await extendClaim(tx, pk, until);
  return { claimed: true, token, until: isoTime(until), attempt };
}

export const releaseWire = write("wires.unclaim", async (ctx, { id: name, token }, tx) => {
  const wire = await lockWire(ctx, tx, name);
  if (token === undefined) {
    assertManagesClaims(wire.space, "end a claim without its token");
    assertClaimable(wire);
  }
  const attempt = token === undefined ? undefined : attemptOf(ctx, wire.id, token);
  const claim = await claimOf(tx, wire.pk);
  if (claim && !claim.done && claim.attempt === (attempt ?? claim.attempt)) await endClaim(tx, wire.pk);
  return { released: true };
});
