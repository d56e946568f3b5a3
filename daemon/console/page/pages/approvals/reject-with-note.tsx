import type { Approval } from "@wireroom/sdk";
import { Confirmation } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
import { useForm } from "../../parts/form.js";
import { nameOf } from "./store.js";

const MOST_CHARACTERS = 500;

export function RejectWithNote({
  approvals,
  onReject,
  onClose,
}: {
  approvals: readonly Approval[];
  onReject: (note: string) => void;
  onClose: () => void;
}) {
  const { values, field } = useForm({ note: "" });
  const handles = [...new Set(approvals.map(({ handle }) => `@${handle}`))].join(", ");
  return (
    <Confirmation
      title={`Reject ${approvals.length > 1 ? `${approvals.length} approvals` : nameOf(approvals[0]!)}`}
      action="Reject"
      isReady={values.note.trim() !== ""}
      run={() => onReject(values.note)}
      onClose={onClose}
    >
      <TextField
        label="Note"
        type="area"
        hint={`${handles} reads it in the inbox, with the decision. Ctrl + Enter rejects.`}
        most={MOST_CHARACTERS}
        {...field("note")}
      />
    </Confirmation>
  );
}
