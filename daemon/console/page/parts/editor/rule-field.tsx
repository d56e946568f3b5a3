/** The form field of a posting rule. */
import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { CheckField, NameField } from "../field.js";
import { JsonField, parseJson } from "./json-field.js";

/** A posting rule as the human entered it in the form. */
export interface RuleText {
  allow_text: boolean;
  votable: boolean;
  claimable: boolean;
  schemas: string;
  inline: string;
}

export function textOfRule(rule: PostingRule): RuleText {
  const { allow_text, votable, claimable = false, accepted_schemas, inline_schema } = rule;
  return {
    allow_text,
    votable,
    claimable,
    schemas: accepted_schemas.join(", "),
    inline: inline_schema ? JSON.stringify(inline_schema, null, 2) : "",
  };
}

/** Throws if the inline schema is not JSON. */
export function ruleOfText({ allow_text, votable, claimable, schemas, inline }: RuleText): PostingRule {
  const parsed = parseJson(inline);
  if (parsed && "problem" in parsed) throw new Error(parsed.problem);
  return {
    allow_text,
    votable,
    ...(claimable && { claimable }),
    accepted_schemas: schemas.split(/[\s,]+/).filter(Boolean),
    ...(parsed && { inline_schema: parsed.value as Record<string, unknown> }),
  };
}

/** @param ofSpace whether the rule can allow votes and claims, which only wires of spaces have */
export function RuleField({
  legend,
  rule,
  onChange,
  ofSpace = true,
}: {
  legend: string;
  rule: RuleText;
  onChange: (rule: RuleText) => void;
  ofSpace?: boolean;
}) {
  const [hasInline] = useState(rule.inline !== "");
  return (
    <fieldset>
      <legend>{legend}</legend>
      <CheckField checked={rule.allow_text} onChange={(allow_text) => onChange({ ...rule, allow_text })}>
        Text is accepted
      </CheckField>
      {ofSpace && (
        <>
          <CheckField checked={rule.votable} onChange={(votable) => onChange({ ...rule, votable })}>
            Wires can be voted on
          </CheckField>
          <CheckField checked={rule.claimable} onChange={(claimable) => onChange({ ...rule, claimable })}>
            Wires are jobs that one handle claims
          </CheckField>
        </>
      )}
      <NameField
        label="Accepted schemas"
        hint="Refs such as @alice/price-quote@2, with commas between them. A payload must match one of them. Without any, every payload is accepted."
        value={rule.schemas}
        onInput={(schemas) => onChange({ ...rule, schemas })}
      />
      <details open={hasInline}>
        <summary>Schema of this rule alone</summary>
        <JsonField
          label="JSON Schema"
          hint="It is accepted in addition to the schemas above."
          text={rule.inline}
          onInput={(inline) => onChange({ ...rule, inline })}
        />
      </details>
    </fieldset>
  );
}
