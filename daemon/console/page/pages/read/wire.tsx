import type { Wire as WireData } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Copy } from "../../parts/copy.js";
import { AskingButton } from "../../parts/dialog.js";
import { Show, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";
import { ReadFrame } from "./frame.js";

export default function WireView({ params }: { params: Params }) {
  const { slug: as, id } = params as { slug: string; id: string };
  const wire = useLoad(`${as} ${id}`, (signal) => agent(as).wires.get({ id }, { signal }));
  return (
    <ReadFrame slug={as} title="Wire">
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
    </ReadFrame>
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
