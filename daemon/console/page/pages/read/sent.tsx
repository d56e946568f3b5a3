/** The page of what a handle sent, with filters in its address. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { BASE, query, setQuery } from "../../app/router.js";
import { counted } from "../../parts/count.js";
import { TARGET, useTargets } from "../../parts/editor/targets.js";
import { Select } from "../../parts/field.js";
import { contains, Filter } from "../../parts/filter.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Wire } from "../../parts/wire.js";
import { contentOf, NO_FILTER, useFilter } from "../approvals/filter.js";
import { pending } from "../approvals/store.js";

export default function Sent({ as }: { as: string }) {
  const asked = query.value.get("to") ?? "";
  const to = TARGET.test(asked) ? asked : undefined;
  const [, filterApprovals] = useFilter();
  const words = query.value.get("words") ?? "";
  const { data, ...sent } = useList(`sent ${as} ${to}`, (signal) =>
    agent(as).sent.list({ to, limit: 100 }, { signal }),
  );
  const render = useCallback((wire: WireData) => <Wire wire={wire} as={as} />, [as]);
  const recipients = new Set([...(to ? [to] : []), ...(data?.items ?? []).map(targetOf), ...useTargets(as)]);
  const items = data?.items.filter((wire) => contains(`${targetOf(wire)} ${contentOf({ wire })}`, words));
  const held = (pending.value ?? []).filter(({ handle }) => handle === as).length;
  const empty =
    words !== "" || to ? (
      <p>Nothing matches.</p>
    ) : (
      <Empty title="Nothing sent yet">
        <p>Wires that this handle sends are listed here, newest first.</p>
      </Empty>
    );
  return (
    <>
      <Filter words={words} onWords={(next) => setQuery("words", next)}>
        <Select
          aria-label="Recipient"
          value={to ?? ""}
          options={[["", "All recipients"], ...[...recipients].sort().map((each) => [each, each] as const)]}
          onChange={(next) => setQuery("to", next)}
        />
        <span class="end">
          {held > 0 && (
            <>
              <a href={`${BASE}/approvals`} onClick={() => filterApprovals({ ...NO_FILTER, handle: as })}>
                {counted(held, "message")} held for your approval
              </a>{" "}
              ·{" "}
            </>
          )}
          <a href={`${BASE}/approvals?status=rejected`}>Rejected ones</a>
        </span>
      </Filter>
      <List
        of={{ ...sent, data: data && { ...data, items: items! } }}
        empty={empty}
        keyOf={({ id }) => id}
        render={render}
      />
    </>
  );
}

function targetOf({ recipient, space }: WireData): string {
  return space === null ? `@${recipient}` : `#${space}`;
}
