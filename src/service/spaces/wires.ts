/** Reads a space's feed, waiting for new wires if requested, and removes wires from the space. */

import { invalid, WireroomError } from "../../contract/errors.js";
import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import type { Wire } from "../../contract/shapes.js";
import { allowedWires } from "../../domain/rule-features.js";
import { noSuchWire } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { type Encodable, RawJson } from "../../kernel/raw-json.js";
import type { Session } from "../../store/engine/engine.js";
import { countLookup } from "../../store/engine/statistics.js";
import { feedChanges } from "../../store/wires/changes.js";
import { type ClaimFeedPage, claimFeedPage } from "../../store/wires/claim-feed.js";
import {
  endOfFeed,
  type FeedPage,
  type FeedPosition,
  type FeedQuery,
  type FeedShape,
  feedPages,
  largeFeedPage,
} from "../../store/wires/feed.js";
import type { SpaceRules } from "../../store/wires/wires.js";
import { readableSpace, readableSpaceBatched } from "../access/spaces.js";
import { lockWire } from "../access/wires.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, decodeFollowedCursor } from "../pipeline/pages.js";
import { removeWire } from "../posting/remove-wire.js";
import { briefWires, presentWires, shortenFor } from "../reading/present-wire.js";
import { assertNotFollowed, readOrWait } from "../reading/read-or-wait.js";

export const readFeed = read("spaces.feed", async (ctx, input, session) => {
  if (input.order !== "oldest") assertNotFollowed(input);
  if (input.claim_state && input.wait !== undefined) {
    const message =
      "`wait` cannot be combined with `claim_state`; claim with POST /spaces/{slug}/claims and `wait`";
    throw invalid({ instancePath: "/wait", keyword: "claim_state", message });
  }
  const { position, ...first } = await readPage(ctx, session, input);
  if (!position || !input.wait) return first.output;
  const held = await readOrWait(ctx, {
    wait: input.wait,
    topics: { space: position.space, status: ctx.caller.pk },
    async read() {
      const hasChanged = await ctx.store.engine.readBatched(feedChanges, position);
      return hasChanged ? await readPage(ctx, session, input) : undefined;
    },
    isNew: (page) => page !== undefined && page.position === undefined,
  });
  return held?.output ?? first.output;
});

interface SentPage {
  output: EncodableOutput<"spaces.feed">;
  /** The position after which to wait for new wires; undefined if the page must be sent at once. */
  position: { handle: number; space: number; thread: null; after: number } | undefined;
}

/**
 * Reads a page. The result does not reference the space's rules, because thousands of waiting requests would
 * keep the rules in memory.
 */
async function readPage(
  ctx: Context<Agent>,
  session: Session,
  input: Input<"spaces.feed">,
): Promise<SentPage> {
  const { order = "newest", limit = DEFAULT_PAGE_SIZE, claim_state: state } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await readableSpaceBatched(ctx, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.id, order, String(rootsOnly), ...(state ? [state] : [])];
  const toCursor = ({ pk, voteCount }: FeedPosition) => ctx.cursors.encode(scope, [pk, voteCount]);
  if (input.cursor === LATEST) {
    const end = { pk: await endOfFeed(session, space.pk), voteCount: 0 };
    return { output: { wires: [], next_cursor: toCursor(end) }, position: undefined };
  }
  const decode = order === "oldest" ? decodeFollowedCursor : decodeCursor;
  const decoded = decode(ctx, scope, input.cursor);
  const after = decoded && { pk: decoded[0]!, voteCount: decoded[1]! };
  const floor = await ctx.store.floors.of(space.retainDays);
  const query = { space: space.pk, votable: allowedWires("votable", space), after, floor };
  const shape = { order, rootsOnly, limit };
  const { wires, last, hasMore } = await readWires(ctx, session, shape, query, space, input);
  const isFollowed = input.wait !== undefined;
  const end = last ?? { voteCount: 0, ...after, pk: Math.max(after?.pk ?? 0, floor) };
  return {
    output: {
      wires,
      next_cursor: hasMore || isFollowed ? toCursor(end) : null,
    },
    position: last ? undefined : { handle: ctx.caller.pk, space: space.pk, thread: null, after: end.pk },
  };
}

async function readWires(
  ctx: Context,
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  rules: SpaceRules,
  { brief, claim_state: state }: Input<"spaces.feed">,
): Promise<Pick<FeedPage, "last" | "hasMore"> & { wires: Encodable<Wire[]> }> {
  // A batched or cached page has no claims, because their state changes with time.
  const claimable = allowedWires("claimable", rules);
  if (!state && !claimable.roots && (shape.rootsOnly || !claimable.replies)) {
    const page = await readFirstOrLater(ctx, shape, query);
    if (page.wires !== null)
      return { ...page, wires: await briefWires(new RawJson<Wire[]>(page.wires), brief) };
  }
  const at = now();
  const shorten = shortenFor(brief);
  const unclaimedAfter = state === "open" ? await ctx.store.unclaimed.after(query.space) : 0;
  const { items, hasMore, end }: ClaimFeedPage = state
    ? await claimFeedPage(session, shape, query, { state, claimable, at, unclaimedAfter }, shorten)
    : await largeFeedPage(session, shape, query, shorten);
  const last = items.at(-1);
  return {
    wires: await presentWires(session, items, () => rules, at),
    last: end ?? (last && { pk: last.pk, voteCount: last.vote_count }),
    hasMore,
  };
}

/** Reads a page of a feed. Caches first pages, because many members request the same first page. */
async function readFirstOrLater({ store }: Context, shape: FeedShape, query: FeedQuery): Promise<FeedPage> {
  const read = () => store.engine.readBatched(feedPages(shape), query);
  if (query.after) return read();
  const key = JSON.stringify([shape, query.votable]);
  const cached = store.firstPages.get(query.space, key, query.floor);
  countLookup(store.statistics.caches.first_pages, cached);
  if (cached) return cached;
  const save = store.firstPages.beginLoad(query.space, key, query.floor);
  const page = await read();
  save(page);
  return page;
}

export const removeSpaceWire = write("spaces.removeWire", async (ctx, input, tx) => {
  const space = await readableSpace(ctx, tx, input.slug);
  const wire = await lockWire(ctx, tx, input.id);
  if (!wire || wire.space?.pk !== space.pk) throw noSuchWire();
  if (space.role !== "owner" && space.role !== "mod") {
    throw new WireroomError("FORBIDDEN", "only the space's owner and mods may remove the wires of others");
  }
  return removeWire(ctx, tx, wire, "mod");
});
