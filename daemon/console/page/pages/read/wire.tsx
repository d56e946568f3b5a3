import type { Wire as WireData } from "@wireroom/sdk";
import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Copy } from "../../parts/copy.js";
import { AskingButton } from "../../parts/dialog.js";
import { Show, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";

export default function WireView({ params }: { params: Params }) {
  return <HandlePage title="Wire">{(as) => <View as={as} id={params.id!} />}</HandlePage>;
}

function View({ as, id }: { as: string; id: string }) {
  const wire = useLoad(`wire ${as} ${id}`, (signal) => agent(as).wires.get({ id }, { signal }));
  return (
    <Show of={wire}>
      {(shown) => (
        <>
          <div class="sheet">
            <Wire wire={shown} as={as} isWhole />
          </div>
          <dl class="facts">
            <dt>Id</dt>
            <dd class="row">
              <code>{shown.id}</code> <Copy text={shown.id} what="Id" />
            </dd>
          </dl>
          {!shown.tombstone && !shown.status && <Remove wire={shown} as={as} onRemoved={wire.reload} />}
        </>
      )}
    </Show>
  );
}

function Remove({
  wire: { id, sender, space },
  as,
  onRemoved,
}: {
  wire: WireData;
  as: string;
  onRemoved: () => void;
}) {
  const isOwn = sender === as;
  if (!isOwn && space === null) return null;
  return (
    <AskingButton
      text={isOwn ? "Remove the wire" : "Remove the wire as a mod"}
      title={`Remove the wire of @${sender}?`}
      run={async () => {
        if (isOwn) await agent(as).wires.delete({ id });
        else await agent(as).spaces.removeWire({ slug: space!, id });
        onRemoved();
      }}
    >
      <p>Its text and payload are deleted for everyone. This cannot be undone.</p>
    </AskingButton>
  );
}
