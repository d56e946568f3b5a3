/** What the operations on claims share: tokens, and who may claim (docs/specification/rules.md#claims). */
import { assertMayClaim, notAllowed } from "../../domain/claims.js";
import { decideEgress } from "../../domain/egress.js";
import { SECOND } from "../../kernel/clock.js";
import { egressFacts } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { WireSpace } from "../../store/wires/wires.js";
import type { Agent, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

const DEFAULT_SECONDS = 600;

export function claimEnd(seconds = DEFAULT_SECONDS, at: number): number {
  return at + seconds * SECOND;
}

/**
 * Returns the token of a claim. It names the attempt and is signed for the handle and the wire, so that a
 * token of any earlier claim can be recognised without storing it.
 */
export function claimToken({ cursors, caller }: Context<Sender>, wire: string, attempt: number): string {
  return cursors.encode(scopeOf(caller, wire), [attempt]);
}

/** Returns the attempt that a token names. Throws 403 for a token that the handle never had on the wire. */
export function attemptOf({ cursors, caller }: Context<Sender>, wire: string, token: string): number {
  const attempt = cursors.decode(scopeOf(caller, wire), token)?.[0];
  // After a restore of the database, attempts may repeat, so tokens from before name no claim any more.
  if (attempt === undefined || cursors.lastSharedWire(token) !== undefined) throw invalidToken();
  return attempt;
}

function scopeOf({ id }: Sender, wire: string): string[] {
  return ["claim", id, wire];
}

export function invalidToken() {
  return notAllowed("this is not the token of the wire's last claim; the claim is no longer yours");
}

/** Throws unless the handle may claim wires in the space. Call this before the transaction's first write. */
export async function assertMayClaimIn(
  { caller }: Context<Agent>,
  tx: Transaction,
  space: Pick<WireSpace, "slug" | "role" | "postingRights">,
): Promise<void> {
  const target = `#${space.slug}`;
  decideEgress(await egressFacts(tx, caller.pk, target), { target, isNote: false, isHuman: caller.isHuman });
  assertMayClaim(space);
}
