/**
 * POST /spaces/{slug}/claims: claims open root wires of a space, and waits for one if there is none
 * (docs/specification/rules.md#work-on-a-queue). Concurrent calls share a transaction, which searches each
 * space once. A new wire wakes one waiting request. A request that has claimed something or failed wakes the
 * next one, so that no wire is left while requests wait.
 */
import { type Input, type Output, operation } from "../../contract/index.js";
import { countFitting } from "../../contract/page-size.js";
import { notAllowed } from "../../domain/claims.js";
import type { EgressFacts } from "../../domain/egress.js";
import type { SpaceTarget } from "../../domain/posting.js";
import type { CallerUsage } from "../../domain/rate-limits.js";
import { canReadSpace, noSuchSpace } from "../../domain/visibility.js";
import { isoTime, now } from "../../kernel/clock.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { egressFactsOfPosts } from "../../store/accounts/egress.js";
import type { BatchedRead } from "../../store/engine/engine.js";
import { inOneRoundTrip, RoundTrip } from "../../store/engine/selects.js";
import { findSpaces, spaceTargets } from "../../store/posting/facts.js";
import {
  enqueueClaims,
  hasOpenWire,
  lockOpenWires,
  lockRightsInSpaces,
  type NewClaim,
  type OpenWire,
  type OpenWiresQuery,
  toClaim,
} from "../../store/wires/claims.js";
import { type Call, Unremembered, type WriteOutcome } from "../pipeline/call.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { groupedWrite, type WriteHandler } from "../pipeline/handler.js";
import { loadUsage } from "../pipeline/rate-limits.js";
import { lockForCalls } from "../pipeline/transaction-locks.js";
import { presentWithClaim } from "../reading/present-wire.js";
import { readOrWait } from "../reading/read-or-wait.js";
import { assertMayClaimIn, claimEnd, claimToken } from "./claims.js";

type ClaimedWire = Output<"spaces.claim">["claims"][number];

const DEFINITION = operation("spaces.claim");
const NONE = { claims: [] };
const NO_CLAIMS = encodeJson(NONE);
/**
 * Characters that each wire counts as. The number is high, so that few large wires are in memory at a time.
 */
const CHARACTERS = 4_096;
/** Bytes of the token and the other fields that an answer adds to a wire. */
const FRAME_BYTES = 600;

interface Claimer {
  ctx: Context<Agent>;
  input: Input<"spaces.claim">;
}

interface PreparedClaimer extends Claimer {
  unclaimedAfter: number;
}

interface Rights {
  space: SpaceTarget | null;
  egress: EgressFacts;
}

interface Facts extends Rights {
  usage: CallerUsage;
  /** Open wires of the space for all calls, in the order in which they are claimed. */
  open: readonly OpenWire[];
}

interface Effect {
  claims: NewClaim[];
}

const claimOnce = groupedWrite<"spaces.claim", PreparedClaimer, Facts, Effect>("spaces.claim", {
  characters: ({ input: { limit = 1 } }) => limit * CHARACTERS,

  /**
   * Finds where the space's unclaimed wires begin, outside the transaction because the search may be long.
   */
  async prepare(ctx, input) {
    const space = await spaceOf(ctx, input.slug);
    return { ctx, input, unclaimedAfter: space ? await ctx.store.unclaimed.after(space.pk) : 0 };
  },

  async load(tx, trip, calls, at) {
    const callers = calls.map(({ ctx }) => ctx.caller);
    const claimers = calls.map(toWanted);
    const [, , rights, usage] = await inOneRoundTrip([
      lockForCalls(tx, DEFINITION, calls, []),
      lockRightsInSpaces(
        tx,
        claimers.map(({ slug }) => slug),
      ),
      loadRights(trip, claimers),
      loadUsage(trip, calls[0]!.ctx.limits, DEFINITION.limits, callers, at),
    ]);
    const searches = new Map<number, { query: OpenWiresQuery; count: number }>();
    for (const [n, { ctx, prepared }] of calls.entries()) {
      const { space } = rights[n]!;
      if (!space || ctx.signal.aborted || !mayClaim(prepared, rights[n]!)) continue;
      const search = searches.get(space.pk) ?? {
        query: await searchOf(ctx, space, prepared.unclaimedAfter, at),
        count: 0,
      };
      // Read enough wires for the case that the handle's earlier calls claim none.
      search.count += roomFor(prepared, usage[n]!, 0);
      searches.set(space.pk, search);
    }
    const found = await inOneRoundTrip(
      [...searches.values()].map(({ query, count }) => lockOpenWires(tx, query, count)),
    );
    const open = new Map([...searches.keys()].map((space, n) => [space, found[n]!]));
    return rights.map((right, n) => ({
      ...right,
      usage: usage[n]!,
      open: (right.space && open.get(right.space.pk)) ?? [],
    }));
  },

  decide(call, { open, usage, ...rights }, earlier, at) {
    const { ctx, input } = call;
    const space = assertMayClaim(ctx, input.slug, rights);
    const made = earlier.flatMap(({ claims }) => claims);
    const own = made.filter(({ holder }) => holder === ctx.caller.pk).length;
    const count = ctx.signal.aborted ? 0 : roomFor(call, usage, own);
    const taken = new Set(made.map(({ wire }) => wire));
    const free = open.filter(({ wire }) => !taken.has(wire.pk)).slice(0, count);
    const sizes = free.map(({ wire: { doc } }) => Buffer.byteLength(doc) + FRAME_BYTES);
    const claimed = free.slice(0, countFitting(sizes));
    // If nothing can be claimed because the handle is at its limit, the pipeline refuses the call.
    if (claimed.length === 0) return { answer: new Unremembered(NONE) };
    const { pk: holder, slug: by } = ctx.caller;
    const until = claimEnd(input.seconds, at);
    const claims = claimed.map(({ wire, attempt: earlierAttempts }) => ({
      wire: wire.pk,
      space: space.pk,
      attempt: earlierAttempts + 1,
      holder,
      until,
      done: 0,
    }));
    const answer = claimed.map(({ wire, id }, n) => {
      const { attempt } = claims[n]!;
      const shown = presentWithClaim(wire, space, toClaim({ attempt, holder, by, until, done: 0 }, at));
      ctx.store.verification.assertValid(shown.json);
      const claim = { wire: shown, token: claimToken(ctx, id, attempt), until: isoTime(until), attempt };
      return new RawJson<ClaimedWire>(encodeJson(claim));
    });
    return { answer: { claims: answer }, effect: { claims }, uses: claims.length };
  },

  async store(tx, accepted) {
    enqueueClaims(
      tx,
      accepted.flatMap(({ claims }) => claims),
    );
  },
});

const toWanted = ({ ctx, input: { slug } }: Claimer) => ({ sender: ctx.caller, slug });

async function loadRights(
  trip: RoundTrip,
  claimers: readonly { sender: { pk: number }; slug: string }[],
): Promise<Rights[]> {
  const [spaces, egress] = await inOneRoundTrip([
    findSpaces(
      trip,
      claimers.map(({ sender, slug }) => ({ handle: sender.pk, slug })),
    ),
    egressFactsOfPosts(
      trip,
      claimers.map(({ sender, slug }) => ({ sender, target: `#${slug}` })),
    ),
  ]);
  return claimers.map((_, n) => ({ space: spaces[n]!, egress: egress[n]! }));
}

const rightsOf: BatchedRead<{ sender: { pk: number }; slug: string }, Rights> = {
  run: (session, claimers) => loadRights(new RoundTrip(session), claimers),
};

/** Returns the space. Throws the error for the client if the handle may not claim its root wires. */
function assertMayClaim(ctx: Context<Agent>, slug: string, { space, egress }: Rights): SpaceTarget {
  if (!space || !canReadSpace(space)) throw noSuchSpace(slug);
  assertMayClaimIn(ctx, { ...space, slug }, egress);
  if (!space.rootRule.claimable) throw notAllowed(`the root_rule of #${slug} is not claimable`);
  return space;
}

function mayClaim({ ctx, input }: Claimer, rights: Rights): boolean {
  try {
    assertMayClaim(ctx, input.slug, rights);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns how many wires the call may claim.
 * @param added claims that earlier calls of the transaction make for the same handle
 */
function roomFor(
  { ctx, input: { limit = 1 } }: Claimer,
  { usage: [held] }: CallerUsage,
  added: number,
): number {
  const max = ctx.limits.claims_per_handle ?? Number.POSITIVE_INFINITY;
  return Math.max(Math.min(limit, max - held!.used - added), 0);
}

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

export const claimInSpace: WriteHandler<"spaces.claim"> = {
  ...claimOnce,

  async run(call) {
    const { ctx, input } = call;
    const space = await spaceOf(ctx, input.slug);
    // Let the transaction throw the error that takes precedence.
    if (!space || !canReadSpace(space)) return claimOnce.run(call);
    if (input.wait) ctx.store.expiredClaims.watch();
    let isFirst = true;
    return readOrWait<WriteOutcome>(ctx, {
      wait: input.wait,
      topics: { claims: space.pk, status: ctx.caller.pk },
      async read() {
        // All waiting requests may wake although no wire is open, so let them share one read first.
        if (!isFirst && !(await hasChanged(call))) return { body: NO_CLAIMS };
        isFirst = false;
        return attempt(call, space.pk);
      },
      isNew: ({ body }) => body !== NO_CLAIMS,
    });
  },
};

/** Returns true if a wire of the space is open, or the handle may no longer claim there. */
async function hasChanged(call: Call<"spaces.claim">): Promise<boolean> {
  const { engine, unclaimed } = call.ctx.store;
  const rights = await engine.readBatched(rightsOf, toWanted(call));
  if (!mayClaim(call, rights)) return true;
  const { pk } = rights.space!;
  const search = await searchOf(call.ctx, rights.space!, await unclaimed.after(pk), now());
  return engine.readBatched(hasOpenWire, search);
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
