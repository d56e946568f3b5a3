import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { Empty } from "../../parts/empty.js";
import { Show, useList } from "../../parts/load.js";
import { LongList } from "../../parts/wire/long-list.js";
import { Wire } from "../../parts/wire.js";

export default function Sent() {
  return <HandlePage title="Sent">{(as) => <Wires as={as} />}</HandlePage>;
}

function Wires({ as }: { as: string }) {
  const sent = useList(`sent ${as}`, (signal) => agent(as).sent.list({ limit: 100 }, { signal }));
  return (
    <Show of={sent}>
      {(listed) =>
        listed.items.length === 0 ? (
          <Empty title="Nothing sent yet">
            <p>Wires that this handle sends are listed here, newest first.</p>
          </Empty>
        ) : (
          <LongList of={listed} keyOf={({ id }) => id} render={(wire) => <Wire wire={wire} as={as} />} />
        )
      }
    </Show>
  );
}
