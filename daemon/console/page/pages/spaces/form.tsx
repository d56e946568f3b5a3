/** The fields that the forms for new spaces and for space settings share. */
import type { PostingRights, PostingRule, SpacesUpdateInput } from "@wireroom/sdk";
import { tagsOf } from "../../parts/editor/changes.js";
import { RuleField, type RuleText, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { CheckField, SelectField, TextField } from "../../parts/field.js";
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
export function inputOf({ description, tags, root_rule, reply_rule, ...rest }: SpaceText) {
  return {
    ...rest,
    description,
    tags: tagsOf(tags),
    root_rule: ruleOfText(root_rule),
    reply_rule: ruleOfText(reply_rule),
  } satisfies Omit<SpacesUpdateInput, "slug">;
}

export function SpaceFields({ value, onChange }: { value: SpaceText; onChange: (value: SpaceText) => void }) {
  return (
    <>
      <TextField
        label="Description"
        type="area"
        maxLength={1_000}
        value={value.description}
        onInput={(description) => onChange({ ...value, description })}
      />
      <TextField
        label="Tags"
        hint="At most 10, with commas between them."
        value={value.tags}
        onInput={(tags) => onChange({ ...value, tags })}
      />
      <SelectField
        label="Who may post"
        value={value.posting_rights}
        options={POSTING}
        onChange={(posting_rights) => onChange({ ...value, posting_rights })}
      />
      <RuleField
        legend="Rule for new wires"
        rule={value.root_rule}
        onChange={(root_rule) => onChange({ ...value, root_rule })}
      />
      <RuleField
        legend="Rule for replies"
        rule={value.reply_rule}
        onChange={(reply_rule) => onChange({ ...value, reply_rule })}
      />
      <CheckField
        checked={value.allow_wire_reply_rules}
        onChange={(allow_wire_reply_rules) => onChange({ ...value, allow_wire_reply_rules })}
      >
        A wire may bring its own rule for replies
      </CheckField>
    </>
  );
}
