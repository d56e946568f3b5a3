/** The form field of a posting rule. */
import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { CheckField, TextField } from "../field.js";
import type { Bound } from "../form.js";
import { JsonField, parseJson } from "./json-field.js";

/** A posting rule as the human entered it in the form. */
export interface RuleText {
  allow_text: boolean;
  votable: boolean;
  claimable: boolean;
  accepted_schemas: string;
  inline_schema: string;
}

export function textOfRule(rule: PostingRule): RuleText {
  const { allow_text, votable, claimable = false, accepted_schemas, inline_schema } = rule;
  return {
    allow_text,
    votable,
    claimable,
    accepted_schemas: accepted_schemas.join(", "),
    inline_schema: inline_schema ? JSON.stringify(inline_schema, null, 2) : "",
  };
}

/** Throws if the inline schema is not JSON. */
export function ruleOfText(rule: RuleText): PostingRule {
  const { allow_text, votable, claimable, accepted_schemas, inline_schema } = rule;
  const parsed = parseJson(inline_schema);
  if (parsed && "problem" in parsed) throw new Error(parsed.problem);
  return {
    allow_text,
    votable,
    ...(claimable && { claimable }),
    accepted_schemas: accepted_schemas.split(/[\s,]+/).filter(Boolean),
    ...(parsed && { inline_schema: parsed.value as Record<string, unknown> }),
  };
}

interface RuleFieldProps extends Bound<RuleText> {
  legend: string;
  /** Whether the rule can allow votes and claims, which only wires of spaces have. */
  ofSpace?: boolean;
}

export function RuleField({ legend, name: ruleName, value: rule, onChange, ofSpace = true }: RuleFieldProps) {
  const [hasInline] = useState(rule.inline_schema !== "");
  const field = <Name extends keyof RuleText>(name: Name): Bound<RuleText[Name]> => ({
    name: `${ruleName}/${name}`,
    value: rule[name],
    onChange: (value) => onChange({ ...rule, [name]: value }),
  });
  return (
    <fieldset>
      <legend>{legend}</legend>
      <CheckField {...field("allow_text")}>Text is accepted</CheckField>
      {ofSpace && (
        <>
          <CheckField {...field("votable")}>Wires can be voted on</CheckField>
          <CheckField {...field("claimable")}>Wires are jobs that one handle claims</CheckField>
        </>
      )}
      <TextField
        type="name"
        label="Accepted schemas"
        hint="Refs such as @alice/price-quote@2, with commas between them. A payload must match one of them. Without any, every payload is accepted."
        {...field("accepted_schemas")}
      />
      <details open={hasInline}>
        <summary>Schema of this rule alone</summary>
        <JsonField
          label="JSON Schema"
          hint="It is accepted in addition to the schemas above."
          {...field("inline_schema")}
        />
      </details>
    </fieldset>
  );
}
