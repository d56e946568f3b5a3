import { useId } from "preact/hooks";
import { HandlePage } from "../../app/as-handle.js";
import { useDraft } from "../../app/draft.js";
import { navigate, query } from "../../app/router.js";
import { Compose } from "../../parts/editor/compose.js";
import { useTargets } from "../../parts/editor/targets.js";
import { NameInput } from "../../parts/field.js";

const TARGET = /^[@#][a-z0-9-]{3,32}$/;

/** The form for a wire to any handle or space. The URL may name the recipient as `?to=`. */
export default function NewWire() {
  return <HandlePage title="New wire">{(as) => <Form as={as} />}</HandlePage>;
}

function Form({ as }: { as: string }) {
  const given = query.value.get("to") ?? "";
  const [to, setTo] = useDraft(`to ${as} ${given}`, given);
  const targets = useTargets(as);
  const id = useId();
  const isTarget = TARGET.test(to.trim());
  return (
    <section class="sheet">
      <div class="field">
        <label for={id}>To</label>
        <NameInput id={id} list={`${id}-known`} value={to} placeholder="@handle or #space" onInput={setTo} />
        <datalist id={`${id}-known`}>
          {targets.map((target) => (
            <option key={target} value={target} />
          ))}
        </datalist>
      </div>
      <Compose
        as={as}
        to={isTarget ? to.trim() : ""}
        draft={`new ${given}`}
        onSent={() => {
          setTo(given);
          navigate(`/sent?as=${as}`);
        }}
      />
    </section>
  );
}
