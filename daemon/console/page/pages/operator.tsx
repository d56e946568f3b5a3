import { useState } from "preact/hooks";
import { AsHandle } from "../app/as-handle.js";
import { agent } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { Button } from "../parts/button.js";
import { Confirmation } from "../parts/dialog.js";
import { Field, NameInput } from "../parts/field.js";
import { showToast } from "../parts/toast.js";
import { texts } from "../texts/index.js";

/** What operators do: remove any wire, and suspend any handle. */
export default function Operator() {
  useTitle(texts.operator.title);
  return (
    <>
      <h1>{texts.operator.title}</h1>
      <p>{texts.operator.text}</p>
      <AsHandle>
        {(as) => (
          <>
            <RemoveWire as={as} />
            <Suspend as={as} />
          </>
        )}
      </AsHandle>
    </>
  );
}

function RemoveWire({ as }: { as: string }) {
  const [id, setId] = useState("");
  const [isAsking, setAsking] = useState(false);
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.operator.removeWire}</h2>
      <Field label={texts.operator.wire} hint={texts.operator.wireHint}>
        {(props) => <NameInput {...props} value={id} onInput={setId} />}
      </Field>
      <Button kind="danger" type="submit" disabled={id.trim() === ""} onClick={() => setAsking(true)}>
        {texts.operator.removeWire}
      </Button>
      {isAsking && (
        <Confirmation
          title={texts.operator.removeTitle}
          action={texts.operator.removeWire}
          run={async () => {
            await agent(as).operator.removeWire({ id: id.trim() });
            setId("");
            showToast(texts.operator.removed);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.operator.removeText}</p>
        </Confirmation>
      )}
    </form>
  );
}

function Suspend({ as }: { as: string }) {
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  const slug = text.trim().replace(/^@/, "");
  const set = async (suspended: boolean) => {
    await agent(as).operator.setSuspended({ slug, suspended });
    showToast(suspended ? texts.operator.suspended(slug) : texts.operator.restored(slug));
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.operator.suspendTitle}</h2>
      <Field label={texts.operator.handle}>
        {(props) => <NameInput {...props} value={text} onInput={setText} />}
      </Field>
      <div class="actions">
        <Button kind="danger" type="submit" disabled={slug === ""} onClick={() => setAsking(true)}>
          {texts.operator.suspend}
        </Button>
        <Button disabled={slug === ""} onClick={() => set(false)}>
          {texts.operator.restore}
        </Button>
      </div>
      {isAsking && (
        <Confirmation
          title={texts.operator.suspendQuestion(slug)}
          action={texts.operator.suspend}
          typed={slug}
          run={() => set(true)}
          onClose={() => setAsking(false)}
        >
          <p>{texts.operator.suspendText}</p>
        </Confirmation>
      )}
    </form>
  );
}
