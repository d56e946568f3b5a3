import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { texts } from "../../texts/index.js";
import { Field } from "../field.js";
import { JsonField, parseJson } from "./json-field.js";

/** What the human typed into the fields of a posting rule. */
export interface RuleText {
  allow_text: boolean;
  votable: boolean;
  schemas: string;
  inline: string;
}

export function textOfRule(rule: PostingRule): RuleText {
  const { allow_text, votable, accepted_schemas, inline_schema } = rule;
  return {
    allow_text,
    votable,
    schemas: accepted_schemas.join(", "),
    inline: inline_schema ? JSON.stringify(inline_schema, null, 2) : "",
  };
}

/** Returns the rule. Throws if the inline schema is no JSON. */
export function ruleOfText({ allow_text, votable, schemas, inline }: RuleText): PostingRule {
  const parsed = parseJson(inline);
  if (parsed && "problem" in parsed) throw new Error(parsed.problem);
  return {
    allow_text,
    votable,
    accepted_schemas: schemas.split(/[\s,]+/).filter(Boolean),
    ...(parsed && { inline_schema: parsed.value as Record<string, unknown> }),
  };
}

/** The fields of a posting rule. @param canVote whether the rule can make wires votable */
export function RuleField({
  legend,
  rule,
  onChange,
  canVote = true,
}: {
  legend: string;
  rule: RuleText;
  onChange: (rule: RuleText) => void;
  canVote?: boolean;
}) {
  const [hasInline] = useState(rule.inline !== "");
  return (
    <fieldset>
      <legend>{legend}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={rule.allow_text}
          onChange={(event) => onChange({ ...rule, allow_text: event.currentTarget.checked })}
        />
        {texts.editor.allowText}
      </label>
      {canVote && (
        <label class="check">
          <input
            type="checkbox"
            checked={rule.votable}
            onChange={(event) => onChange({ ...rule, votable: event.currentTarget.checked })}
          />
          {texts.editor.votable}
        </label>
      )}
      <Field label={texts.editor.schemas} hint={texts.editor.schemasHint}>
        {(props) => (
          <input
            {...props}
            value={rule.schemas}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => onChange({ ...rule, schemas: event.currentTarget.value })}
          />
        )}
      </Field>
      <details open={hasInline}>
        <summary>{texts.editor.inline}</summary>
        <JsonField
          label={texts.editor.inlineLabel}
          hint={texts.editor.inlineHint}
          text={rule.inline}
          onInput={(inline) => onChange({ ...rule, inline })}
        />
      </details>
    </fieldset>
  );
}
