/** The wires of a space, live except in the order of votes. */
import type { SpacesFeedInput, Wire as WireData } from "@wireroom/sdk";
import { useCallback } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { keyIn, query, setQuery, urlAs } from "../../app/router.js";
import { Compose } from "../../parts/editor/compose.js";
import { CheckField, Select } from "../../parts/field.js";
import { Empty } from "../../parts/list.js";
import { LiveList } from "../../parts/live-list.js";
import { useLive } from "../../parts/use-live.js";
import { Wire } from "../../parts/wire.js";
import type { InSpace } from "./frame.js";

const ORDERS: Readonly<Record<NonNullable<SpacesFeedInput["order"]>, string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  top: "Most votes first",
};

/** Number of wires per page, which is the service's maximum. */
const PAGE_SIZE = 100;

export default function Feed({ as, space, role }: InSpace) {
  const { slug, posting_rights, root_rule } = space;
  const order = keyIn(ORDERS, query.value.get("order")) ?? "newest";
  const roots_only = query.value.get("replies") === "no";
  const shape = { slug, roots_only, limit: PAGE_SIZE };
  const feed = useLive<WireData>(`feed ${as} ${slug} ${order} ${roots_only}`, {
    list: (signal) => agent(as).spaces.feed({ ...shape, order }, { signal }),
    // In the order `top`, a new wire can appear anywhere in the list, so the list has no live updates.
    ...(order !== "top" && {
      after: (position, signal) =>
        agent(as).spaces.feed({ ...shape, ...position, order: "oldest" }, { signal }),
    }),
    keyOf: ({ id }) => id,
    growsAt: order === "oldest" ? "end" : "start",
  });
  const render = useCallback((wire: WireData) => <Wire wire={wire} as={as} known={`#${slug}`} />, [as, slug]);
  const mayPost =
    posting_rights === "anyone" ||
    (role !== undefined && role !== "reader" && (posting_rights === "members" || role !== "poster"));
  return (
    <>
      {mayPost && (
        <details class="sheet">
          <summary>Post to #{slug}</summary>
          <Compose as={as} to={`#${slug}`} rule={root_rule} onSent={feed.reload} />
        </details>
      )}
      <div class="row options">
        <label class="row">
          Order
          <Select
            value={order}
            options={ORDERS}
            onChange={(value) => setQuery("order", value === "newest" ? "" : value)}
          />
        </label>
        <CheckField value={!roots_only} onChange={(isChecked) => setQuery("replies", isChecked ? "" : "no")}>
          Show replies
        </CheckField>
        <a class="end" href={`${urlAs(as, "search")}&space=${slug}`}>
          Search in this space
        </a>
      </div>
      <LiveList
        of={feed}
        keyOf={({ id }) => id}
        render={render}
        empty={
          <Empty title="No wires yet">
            <p>{mayPost ? "Post the first one above." : "This handle may read here, but not post."}</p>
          </Empty>
        }
      />
    </>
  );
}
