import type { Wire } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Copy } from "../../parts/copy.js";
import { Show, useLoad } from "../../parts/load.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { OperatedContent } from "./content.js";
import { OperatorFrame, operatorUrl } from "./frame.js";
import { ReasonDialog } from "./reason.js";

export default function OperatedWire({ params }: { params: Params }) {
  const id = params.id!;
  return (
    <OperatorFrame title={texts.operator.wire}>{(as) => <View key={id} id={id} as={as} />}</OperatorFrame>
  );
}

function View({ id, as }: { id: string; as: string }) {
  const wire = useLoad(`${as} ${id}`, (signal) => agent(as).operator.getWire({ id }, { signal }));
  return (
    <>
      <p>
        <a href={operatorUrl(as)}>{texts.operator.back}</a>
      </p>
      <Show of={wire}>
        {(shown) => (
          <>
            <div class="sheet">
              <OperatedContent wire={shown} as={as} />
            </div>
            <dl class="facts">
              <dt>{texts.operator.id}</dt>
              <dd class="row">
                <code>{shown.id}</code> <Copy text={shown.id} what={texts.operator.id} />
              </dd>
            </dl>
            {!shown.tombstone && <Remove wire={shown} as={as} onRemoved={wire.set} />}
          </>
        )}
      </Show>
    </>
  );
}

function Remove({ wire, as, onRemoved }: { wire: Wire; as: string; onRemoved: (wire: Wire) => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <div class="actions">
        <Button kind="danger" onClick={() => setAsking(true)}>
          {texts.operator.removeWire}
        </Button>
      </div>
      {isAsking && (
        <ReasonDialog
          title={texts.operator.removeTitle}
          action={texts.operator.removeWire}
          run={async (reason) => {
            const { tombstone } = await agent(as).operator.removeWire({ id: wire.id, reason });
            // The wire is not read again, because each read is logged.
            onRemoved({ ...wire, tombstone, text_body: null, payload: null });
            showToast(texts.operator.removed);
          }}
          onClose={() => setAsking(false)}
        >
          {texts.operator.removeText}
        </ReasonDialog>
      )}
    </>
  );
}
