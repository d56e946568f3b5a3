import type { Approval } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
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
  const [note, setNote] = useState("");
  const handles = [...new Set(approvals.map(({ handle }) => `@${handle}`))].join(", ");
  const reject = () => {
    if (note.trim() === "") return;
    onReject(note);
    onClose();
  };
  const name = approvals.length > 1 ? `${approvals.length} approvals` : nameOf(approvals[0]!);
  return (
    <Dialog title={`Reject ${name}`} onClose={onClose}>
      <form
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && reject()}
      >
        <TextField
          label="Note"
          type="area"
          hint={`${handles} reads it in the inbox, with the decision. Ctrl + Enter rejects.`}
          maxLength={MOST_CHARACTERS}
          value={note}
          onInput={setNote}
        />
        <div class="actions">
          <Button kind="danger" disabled={note.trim() === ""} onClick={reject}>
            Reject
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
