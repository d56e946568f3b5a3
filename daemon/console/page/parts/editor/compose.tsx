/** The form for sending a wire to a space, to a handle, or as a reply. */
import type { PostingRule } from "@wireroom/sdk";
import { useRef, useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { useDraft } from "../../app/draft.js";
import { Button } from "../button.js";
import { TextField } from "../field.js";
import { useLoad } from "../load.js";
import { Problem } from "../problem.js";
import { showToast } from "../toast.js";
import { SchemaLink } from "../wire/schema-link.js";
import { problemOf } from "./check-payload.js";
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
  const [{ text, json }, setDraft] = useDraft(`wire ${as} ${draft}`, { text: "", json: "" });
  const [hadPayload] = useState(json !== "");
  const [error, setError] = useState<unknown>();
  const once = useOnce(as);
  const latest = useRef({ text, json });
  latest.current = { text, json };
  const parsed = parseJson(json);
  const accepted = rule?.accepted_schemas ?? [];
  const schemas = useLoad(`schemas ${as} ${accepted}`, (signal) =>
    Promise.all(accepted.map((ref) => agent(as).schemas.get({ ref }, { signal }))),
  );
  const documents = [
    ...(schemas.data ?? []).map(({ json_schema }) => json_schema),
    ...(rule?.inline_schema ? [rule.inline_schema] : []),
  ];
  const check = (value: unknown) => {
    const problems = documents.map((schema) => problemOf(value, schema));
    return problems.includes(undefined) ? undefined : problems[0];
  };

  const send = async () => {
    setError(undefined);
    try {
      const draft = {
        to,
        ...(text !== "" && { text }),
        ...(parsed && "value" in parsed && { payload: parsed.value }),
        ...(replyTo !== undefined && { reply_to: replyTo }),
      };
      await once(draft, (input, options) => agent(as).wires.send(input, options));
      // Keep text that the human has typed since the wire was sent.
      if (latest.current.text === text && latest.current.json === json) setDraft({ text: "", json: "" });
      showToast("Sent.");
      onSent();
    } catch (reason) {
      setError(reason);
    }
  };

  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
          event.currentTarget.querySelector<HTMLButtonElement>("button.main")?.click();
      }}
    >
      {error !== undefined && <Problem error={error} />}
      {rule?.allow_text !== false && (
        <TextField
          label="Text"
          type="area"
          maxLength={MOST_CHARACTERS}
          value={text}
          onInput={(next) => setDraft({ text: next, json })}
        />
      )}
      <details open={rule?.allow_text === false || hadPayload}>
        <summary>Payload</summary>
        <JsonField
          label="Payload, as JSON"
          hint={accepted.length > 0 && <Accepted schemas={accepted} as={as} />}
          text={json}
          onInput={(next) => setDraft({ text, json: next })}
          check={check}
        />
      </details>
      <div class="actions">
        <Button
          kind="main"
          type="submit"
          disabled={to === "" || (text === "" && !parsed) || (parsed !== undefined && "problem" in parsed)}
          onClick={send}
        >
          Send as @{as}
        </Button>
        <span class="hint">Ctrl + Enter</span>
      </div>
    </form>
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
