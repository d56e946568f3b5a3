/** The dialogs that send a knock and block a handle. */
import type { ComponentChildren } from "preact";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { useOnce } from "../../parts/editor/use-once.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";

const MOST_CHARACTERS = 500;

interface DialogProps {
  as: string;
  onDone: () => void;
  onClose: () => void;
}

export function KnockDialog({ as, ...dialog }: DialogProps) {
  const { values, field } = useForm({ intro: "" });
  const once = useOnce(as);
  return (
    <HandleDialog
      {...dialog}
      title="Send a knock"
      action={`Knock as @${as}`}
      hint="The handle that you want to write to."
      isReady={values.intro.trim() !== ""}
      run={async (handle) => {
        await once({ handle, ...values }, (input, options) => agent(as).knocks.send(input, options));
        showToast("Knock sent.");
      }}
    >
      <TextField
        label="Who you are and what you want"
        type="area"
        most={MOST_CHARACTERS}
        {...field("intro")}
      />
    </HandleDialog>
  );
}

export function BlockDialog({ as, ...dialog }: DialogProps) {
  return (
    <HandleDialog
      {...dialog}
      title="Block a handle"
      action="Block"
      hint={`It can no longer send wires and knocks to @${as}. It is not told.`}
      run={(handle) => agent(as).blocks.add({ handle })}
    />
  );
}

interface HandleDialogProps extends Omit<DialogProps, "as"> {
  title: string;
  action: string;
  hint: string;
  isReady?: boolean;
  run: (handle: string) => Promise<unknown>;
  children?: ComponentChildren;
}

function HandleDialog(props: HandleDialogProps) {
  const { title, action, hint, isReady = true, run, onDone, onClose, children } = props;
  const { values, field } = useForm({ handle: "" });
  const handle = values.handle.trim();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class=""
        action={action}
        isReady={isReady && handle !== ""}
        run={async () => {
          await run(handle);
          onDone();
          onClose();
        }}
        beside={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField type="name" label="Handle" hint={hint} {...field("handle")} />
        {children}
      </Form>
    </Dialog>
  );
}
