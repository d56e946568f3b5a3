import { FEED_ORDERS, type Wire } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { query, setQuery, urlOf } from "../../app/router.js";
import { Compose } from "../../parts/editor/compose.js";
import { Empty } from "../../parts/empty.js";
import { Show } from "../../parts/load.js";
import { LiveWires } from "../../parts/wire/live-list.js";
import { useLive } from "../../parts/wire/use-live.js";
import { texts } from "../../texts/index.js";
import { type InSpace, SpaceFrame } from "./frame.js";

/** Wires of a page. It is the most that the service returns. */
const PAGE_SIZE = 100;

export default function Feed({ params }: { params: Params }) {
  return (
    <SpaceFrame slug={params.slug!} tab="feed">
      {(inSpace) => <Wires {...inSpace} />}
    </SpaceFrame>
  );
}

function Wires({ as, space, role }: InSpace) {
  const { slug, posting_rights, root_rule } = space;
  const order = FEED_ORDERS.find((each) => each === query.value.get("order")) ?? "newest";
  const roots_only = query.value.get("replies") === "no";
  const shape = { slug, roots_only, limit: PAGE_SIZE };
  const growsAt = order === "oldest" ? "end" : "start";
  const feed = useLive<Wire>(JSON.stringify([as, slug, order, roots_only]), {
    list: (signal) => agent(as).spaces.feed({ ...shape, order }, { signal }),
    // In the order `top`, a new wire belongs at no end.
    ...(order !== "top" && {
      after: (position, signal) =>
        agent(as).spaces.feed({ ...shape, ...position, order: "oldest" }, { signal }),
    }),
    keyOf: ({ id }) => id,
    growsAt,
  });
  const mayPost =
    posting_rights === "anyone" ||
    (role !== undefined && role !== "reader" && (posting_rights === "members" || role !== "poster"));
  return (
    <>
      {mayPost && (
        <details class="sheet">
          <summary>{texts.spaces.post(`#${slug}`)}</summary>
          <Compose as={as} to={`#${slug}`} rule={root_rule} onSent={feed.reload} />
        </details>
      )}
      <div class="row filters">
        <label class="row">
          {texts.spaces.order}
          <select
            value={order}
            onChange={({ currentTarget: { value } }) => setQuery("order", value === "newest" ? "" : value)}
          >
            {FEED_ORDERS.map((each) => (
              <option key={each} value={each}>
                {texts.spaces.orders[each]}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={!roots_only}
            onChange={({ currentTarget: { checked } }) => setQuery("replies", checked ? "" : "no")}
          />
          {texts.spaces.replies}
        </label>
        <a class="end" href={`${urlOf("read", as, "search")}?space=${slug}`}>
          {texts.spaces.searchIn}
        </a>
      </div>
      <Show of={feed}>
        {(live) => (
          <LiveWires
            of={live}
            as={as}
            growsAt={growsAt}
            empty={
              <Empty title={texts.spaces.empty}>
                <p>{mayPost ? texts.spaces.emptyText : texts.spaces.emptyNoPost}</p>
              </Empty>
            }
          />
        )}
      </Show>
    </>
  );
}
