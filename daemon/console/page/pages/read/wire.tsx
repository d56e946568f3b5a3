/** The page of one wire, with its facts, its claim and its removal. */
import type { Wire as WireData } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Copy } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { Fact } from "../../parts/fact.js";
import { Show, useLoad } from "../../parts/load.js";
import { exactTime } from "../../parts/time.js";
import { ClaimActions } from "../../parts/wire/claim-actions.js";
import { originText, Wire } from "../../parts/wire.js";
import { roleIn } from "../spaces/frame.js";

export default function WireView({ as, params }: { as: string; params: Params }) {
  const id = params.id!;
  const wire = useLoad(`wire ${as} ${id}`, (signal) => agent(as).wires.get({ id }, { signal }));
  return (
    <Show of={wire}>
      {(shown) => (
        <>
          <div class="sheet">
            <Wire wire={shown} as={as} isWhole>
              {shown.claim && <Claim wire={shown} as={as} onChange={wire.reload} />}
            </Wire>
          </div>
          <Facts wire={shown} as={as} />
          {!shown.tombstone && !shown.status && <Remove wire={shown} as={as} onRemoved={wire.reload} />}
        </>
      )}
    </Show>
  );
}

function Facts({ wire, as }: { wire: WireData; as: string }) {
  const { id, sender, created_at, origin, text_body, payload, tombstone } = wire;
  const from = sender === as ? "" : originText(wire);
  return (
    <dl class="facts">
      <Fact name="Sent">{exactTime(Date.parse(created_at))}</Fact>
      {from !== "" && (
        <Fact name="Sent by">{origin?.approved ? `${from}, and approved by its human` : from}</Fact>
      )}
      {!tombstone && (
        <Fact name="Content">
          <Copy text={text_body ?? JSON.stringify(payload, null, 2)} what="the content" />
        </Fact>
      )}
      <Fact name="Id">
        <code>{id}</code> <Copy text={id} what="Id" />
      </Fact>
    </dl>
  );
}

function Claim({ wire, as, onChange }: { wire: WireData; as: string; onChange: () => unknown }) {
  const role = useLoad(`role ${as} ${wire.space}`, async (signal) => ({
    role: await roleIn(as, wire.space!, signal),
  }));
  return <ClaimActions wire={wire} as={as} role={role.data?.role} onChange={onChange} />;
}

interface RemoveProps {
  wire: WireData;
  as: string;
  onRemoved: () => void;
}

function Remove({ wire: { id, sender, space }, as, onRemoved }: RemoveProps) {
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
