import { useDraft } from "../../app/draft.js";
import { navigate, query } from "../../app/router.js";
import { Compose } from "../../parts/editor/compose.js";
import { TARGET, useTargets } from "../../parts/editor/targets.js";
import { TextField } from "../../parts/field.js";

/** The form for a wire to any handle or space. The URL may name the recipient as `?to=`. */
export default function NewWire({ as }: { as: string }) {
  const given = query.value.get("to") ?? "";
  const [to, setTo] = useDraft(`to ${as} ${given}`, given);
  const known = useTargets(as);
  const isTarget = TARGET.test(to.trim());
  return (
    <section class="sheet">
      <TextField
        type="name"
        label="To"
        placeholder="@handle or #space"
        known={known}
        value={to}
        onChange={setTo}
      />
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
