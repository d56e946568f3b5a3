import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { BASE } from "../../app/router.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Wire } from "../../parts/wire.js";

export default function Sent({ as }: { as: string }) {
  const sent = useList(`sent ${as}`, (signal) => agent(as).sent.list({ limit: 100 }, { signal }));
  const render = useCallback((wire: WireData) => <Wire wire={wire} as={as} />, [as]);
  const empty = (
    <Empty title="Nothing sent yet">
      <p>Wires that this handle sends are listed here, newest first.</p>
    </Empty>
  );
  return (
    <>
      <p class="hint">
        Wires that were held or rejected are not listed. <a href={`${BASE}/approvals`}>Show them</a>
      </p>
      <List of={sent} empty={empty} keyOf={({ id }) => id} render={render} />
    </>
  );
}
