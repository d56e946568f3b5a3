import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Empty } from "../../parts/empty.js";
import { Show, useList } from "../../parts/load.js";
import { LongList } from "../../parts/wire/long-list.js";
import { Wire } from "../../parts/wire.js";
import { ReadFrame } from "./frame.js";

export default function Sent({ params }: { params: Params }) {
  const as = params.slug!;
  const sent = useList(as, (signal) => agent(as).sent.list({ limit: 100 }, { signal }));
  return (
    <ReadFrame slug={as} tab="sent" title="Sent">
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
    </ReadFrame>
  );
}
