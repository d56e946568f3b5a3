/** The dialog that sends a knock or blocks a handle. */
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { useOnce } from "../../parts/editor/use-once.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";

const MOST_CHARACTERS = 500;

interface HandleDialogProps {
  as: string;
  kind: "knock" | "block";
  onDone: () => void;
  onClose: () => void;
}

export function HandleDialog({ as, kind, onDone, onClose }: HandleDialogProps) {
  const { values, field } = useForm({ handle: "", intro: "" });
  const once = useOnce(as);
  const isKnock = kind === "knock";
  const handle = values.handle.trim();
  const { knocks, blocks } = agent(as);
  const run = async () => {
    if (isKnock) await once({ ...values, handle }, (input, options) => knocks.send(input, options));
    else await blocks.add({ handle });
    if (isKnock) showToast("Knock sent.");
    onDone();
    onClose();
  };
  return (
    <Dialog title={isKnock ? "Send a knock" : "Block a handle"} onClose={onClose}>
      <Form
        class=""
        action={isKnock ? `Knock as @${as}` : "Block"}
        isReady={handle !== "" && (!isKnock || values.intro.trim() !== "")}
        run={run}
        beside={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField
          type="name"
          label="Handle"
          hint={
            isKnock
              ? "The handle that you want to write to."
              : `It can no longer send wires and knocks to @${as}. It is not told.`
          }
          {...field("handle")}
        />
        {isKnock && (
          <TextField
            label="Who you are and what you want"
            type="area"
            most={MOST_CHARACTERS}
            {...field("intro")}
          />
        )}
      </Form>
    </Dialog>
  );
}
