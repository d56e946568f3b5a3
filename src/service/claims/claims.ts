/** Creates and reads the tokens of claims, and checks who may claim (docs/specification/rules.md#claims). */
import { assertMayClaim, notAllowed } from "../../domain/claims.js";
import { decideEgress, type EgressFacts } from "../../domain/egress.js";
import { SECOND } from "../../kernel/clock.js";
import type { WireSpace } from "../../store/wires/wires.js";
import type { Agent, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

const DEFAULT_SECONDS = 600;

export function claimEnd(seconds = DEFAULT_SECONDS, at: number): number {
  return at + seconds * SECOND;
}

/**
 * Returns the token of a claim. It names the attempt and is signed for the handle and the wire, so a token of
 * any earlier claim is recognised although it is not stored.
 */
export function claimToken({ cursors, caller }: Context<Sender>, wire: string, attempt: number): string {
  return cursors.encode(scopeOf(caller, wire), [attempt]);
}

/** Returns the attempt that a token names. Returns undefined if the handle never had it on the wire. */
export function findAttempt(
  { cursors, caller }: Context<Sender>,
  wire: string,
  token: string,
): number | undefined {
  // After a database restore, attempt numbers repeat, so tokens from before the restore are invalid.
  if (cursors.lastSharedWire(token) !== undefined) return undefined;
  return cursors.decode(scopeOf(caller, wire), token)?.[0];
}

/** Like {@link findAttempt}, but throws 403 instead of returning undefined. */
export function attemptOf(ctx: Context<Sender>, wire: string, token: string): number {
  const attempt = findAttempt(ctx, wire, token);
  if (attempt === undefined) throw invalidToken();
  return attempt;
}

function scopeOf({ id }: Sender, wire: string): string[] {
  return ["claim", id, wire];
}

export function invalidToken() {
  return notAllowed("this is not the token of the wire's last claim; the claim is no longer yours");
}

/** Throws unless the handle may claim wires in the space. Call this before the transaction's first write. */
export function assertMayClaimIn(
  { caller }: Context<Agent>,
  space: Pick<WireSpace, "slug" | "role" | "postingRights">,
  egress: EgressFacts,
): void {
  decideEgress(egress, { target: `#${space.slug}`, isNote: false, isHuman: caller.isHuman });
  assertMayClaim(space);
}
