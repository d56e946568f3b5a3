/** The form for sending a wire to a space, to a handle, or as a reply. */
import type { PostingRule } from "@wireroom/sdk";
import { useRef, useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { TextField } from "../field.js";
import { Form, useForm } from "../form.js";
import { showToast } from "../toast.js";
import { SchemaLink } from "../wire/schema-link.js";
import { JsonField, parseJson } from "./json-field.js";
import { useOnce } from "./use-once.js";

const MOST_CHARACTERS = 8_192;

export interface ComposeProps {
  as: string;
  /** The recipient, as `@slug` or `#slug`. */
  to: string;
  replyTo?: string | undefined;
  /** Name of the draft, if it does not depend on the recipient. */
  draft?: string;
  rule?: PostingRule | null | undefined;
  onSent: () => void;
}

export function Compose({ as, to, replyTo, draft = `${to} ${replyTo ?? ""}`, rule, onSent }: ComposeProps) {
  const form = useForm({ text: "", payload: "" }, `wire ${as} ${draft}`);
  const { text, payload } = form.values;
  const [hadPayload] = useState(payload !== "");
  const once = useOnce(as);
  const latest = useRef(form.values);
  latest.current = form.values;
  const parsed = parseJson(payload);
  const accepted = rule?.accepted_schemas ?? [];
  const send = async () => {
    const wire = {
      to,
      ...(text !== "" && { text }),
      ...(parsed && "value" in parsed && { payload: parsed.value }),
      ...(replyTo !== undefined && { reply_to: replyTo }),
    };
    await once(wire, (input, options) => agent(as).wires.send(input, options));
    // Keep text that the human has typed since the wire was sent.
    if (latest.current.text === text && latest.current.payload === payload) form.clear();
    showToast("Sent.");
    onSent();
  };
  return (
    <Form
      class=""
      action={`Send as @${as}`}
      isReady={to !== "" && (text !== "" || parsed !== undefined) && !(parsed && "problem" in parsed)}
      run={send}
      beside={<span class="hint">Ctrl + Enter</span>}
    >
      {rule?.allow_text !== false && (
        <TextField label="Text" type="area" most={MOST_CHARACTERS} {...form.field("text")} />
      )}
      <details open={rule?.allow_text === false || hadPayload}>
        <summary>Payload</summary>
        <JsonField
          label="Payload, as JSON"
          hint={accepted.length > 0 && <Accepted schemas={accepted} as={as} />}
          {...form.field("payload")}
        />
      </details>
    </Form>
  );
}

function Accepted({ schemas, as }: { schemas: readonly string[]; as: string }) {
  return (
    <>
      It must match one of these schemas:{" "}
      {schemas.map((schema, index) => (
        <span key={schema}>
          {index > 0 && ", "}
          <SchemaLink schema={schema} as={as} />
        </span>
      ))}
    </>
  );
}
