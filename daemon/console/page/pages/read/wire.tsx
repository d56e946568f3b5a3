import type { Wire as WireData } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Copy } from "../../parts/copy.js";
import { Confirmation } from "../../parts/dialog.js";
import { Show, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";
import { texts } from "../../texts/index.js";
import { ReadFrame } from "./frame.js";

export default function WireView({ params }: { params: Params }) {
  const { slug: as, id } = params as { slug: string; id: string };
  const wire = useLoad(`${as} ${id}`, (signal) => agent(as).wires.get({ id }, { signal }));
  return (
    <ReadFrame slug={as} title={texts.read.wire}>
      <Show of={wire}>
        {(shown) => (
          <>
            <div class="sheet">
              <Wire wire={shown} as={as} isWhole />
            </div>
            <dl class="facts">
              <dt>{texts.read.id}</dt>
              <dd class="row">
                <code>{shown.id}</code> <Copy text={shown.id} what={texts.read.id} />
              </dd>
            </dl>
            {!shown.tombstone && !shown.status && <Remove wire={shown} as={as} onRemoved={wire.reload} />}
          </>
        )}
      </Show>
    </ReadFrame>
  );
}

/** Removes a wire of the handle itself, or of a space where the handle is owner or mod. */
function Remove({
  wire: { id, sender, space },
  as,
  onRemoved,
}: {
  wire: WireData;
  as: string;
  onRemoved: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const isOwn = sender === as;
  if (!isOwn && space === null) return null;
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {isOwn ? texts.read.remove : texts.read.removeAsMod}
      </Button>
      {isAsking && (
        <Confirmation
          title={texts.read.removeTitle(`@${sender}`)}
          action={isOwn ? texts.read.remove : texts.read.removeAsMod}
          run={async () => {
            if (isOwn) await agent(as).wires.delete({ id });
            else await agent(as).spaces.removeWire({ slug: space!, id });
            onRemoved();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.read.removeText}</p>
        </Confirmation>
      )}
    </>
  );
}
