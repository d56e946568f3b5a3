/** The fields that the forms for new spaces and for space settings share. */
import type { PostingRights, PostingRule, SpacesUpdateInput } from "@wireroom/sdk";
import { RuleField, type RuleText, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { CheckField, SelectField, TextField } from "../../parts/field.js";
import { type Bound, entriesOf } from "../../parts/form.js";
import { POSTING } from "./frame.js";

/** A space's settings as the human typed them. */
export interface SpaceText {
  description: string;
  tags: string;
  posting_rights: PostingRights;
  root_rule: RuleText;
  reply_rule: RuleText;
  allow_wire_reply_rules: boolean;
}

const ANY_WIRE: PostingRule = { allow_text: true, accepted_schemas: [], votable: false };

export const NEW_SPACE: SpaceText = {
  description: "",
  tags: "",
  posting_rights: "anyone",
  root_rule: textOfRule(ANY_WIRE),
  reply_rule: textOfRule(ANY_WIRE),
  allow_wire_reply_rules: false,
};

/** Throws if a rule's inline schema is not JSON. */
export function inputOf({ tags, root_rule, reply_rule, ...rest }: SpaceText) {
  return {
    ...rest,
    tags: entriesOf(tags),
    root_rule: ruleOfText(root_rule),
    reply_rule: ruleOfText(reply_rule),
  } satisfies Omit<SpacesUpdateInput, "slug">;
}

interface SpaceFieldsProps {
  field: <Name extends keyof SpaceText>(name: Name) => Bound<SpaceText[Name]>;
}

/** @param field returns the form field with this name */
export function SpaceFields({ field }: SpaceFieldsProps) {
  return (
    <>
      <TextField label="Description" type="area" most={1_000} {...field("description")} />
      <TextField label="Tags" hint="At most 10, with commas between them." {...field("tags")} />
      <SelectField label="Who may post" options={POSTING} {...field("posting_rights")} />
      <RuleField legend="Rule for new wires" {...field("root_rule")} />
      <RuleField legend="Rule for replies" {...field("reply_rule")} />
      <CheckField {...field("allow_wire_reply_rules")}>A wire may bring its own rule for replies</CheckField>
    </>
  );
}
