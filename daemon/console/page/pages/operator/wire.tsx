import type { Wire } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Copy } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { Fact } from "../../parts/fact.js";
import { Show, useLoad } from "../../parts/load.js";
import { showToast } from "../../parts/toast.js";
import { OperatedContent } from "./content.js";
import { REASON } from "./frame.js";

export default function OperatedWire({ as, params }: { as: string; params: Params }) {
  const id = params.id!;
  const wire = useLoad(`operated ${as} ${id}`, (signal) => agent(as).operator.getWire({ id }, { signal }));
  return (
    <Show of={wire}>
      {(shown) => (
        <>
          <div class="sheet">
            <OperatedContent wire={shown} as={as} isWhole />
          </div>
          <dl class="facts">
            <Fact name="Id of the wire">
              <code>{shown.id}</code> <Copy text={shown.id} what="Id of the wire" />
            </Fact>
          </dl>
          {!shown.tombstone && <Remove wire={shown} as={as} onRemoved={wire.set} />}
        </>
      )}
    </Show>
  );
}

function Remove({ wire, as, onRemoved }: { wire: Wire; as: string; onRemoved: (wire: Wire) => void }) {
  return (
    <div class="actions">
      <AskingButton
        text="Remove the wire"
        title="Remove this wire for everybody?"
        note={REASON}
        run={async (reason) => {
          const { tombstone } = await agent(as).operator.removeWire({ id: wire.id, reason });
          // Update the wire locally instead of reading it again, because each read by an operator is logged.
          onRemoved({ ...wire, tombstone, text_body: null, payload: null });
          showToast("The wire is removed.");
        }}
      >
        <p>Its content is gone for good. Its sender, and the recipient of a DM, get a notice.</p>
      </AskingButton>
    </div>
  );
}
