/** The fields that a new space and the settings of a space share. */
import { POSTING_RIGHTS, type PostingRights, type PostingRule, type SpacesUpdateInput } from "@wireroom/sdk";
import { RuleField, type RuleText, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { Field } from "../../parts/field.js";
import { texts } from "../../texts/index.js";

/** What the human typed. */
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

/** Returns the input of the operation. Throws if a rule is wrong. */
export function inputOf({ description, tags, root_rule, reply_rule, ...rest }: SpaceText) {
  return {
    ...rest,
    description,
    tags: tags
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
    root_rule: ruleOfText(root_rule),
    reply_rule: ruleOfText(reply_rule),
  } satisfies Omit<SpacesUpdateInput, "slug">;
}

export function SpaceFields({ value, onChange }: { value: SpaceText; onChange: (value: SpaceText) => void }) {
  return (
    <>
      <Field label={texts.spaces.description}>
        {(props) => (
          <textarea
            {...props}
            maxLength={1_000}
            value={value.description}
            onInput={(event) => onChange({ ...value, description: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={texts.spaces.tags} hint={texts.spaces.tagsHint}>
        {(props) => (
          <input
            {...props}
            value={value.tags}
            onInput={(event) => onChange({ ...value, tags: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={texts.spaces.rights}>
        {(props) => (
          <select
            {...props}
            value={value.posting_rights}
            onChange={(event) =>
              onChange({ ...value, posting_rights: event.currentTarget.value as PostingRights })
            }
          >
            {POSTING_RIGHTS.map((each) => (
              <option key={each} value={each}>
                {texts.spaces.posting[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <RuleField
        legend={texts.spaces.rootRule}
        rule={value.root_rule}
        onChange={(root_rule) => onChange({ ...value, root_rule })}
      />
      <RuleField
        legend={texts.spaces.replyRule}
        rule={value.reply_rule}
        onChange={(reply_rule) => onChange({ ...value, reply_rule })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={value.allow_wire_reply_rules}
          onChange={(event) => onChange({ ...value, allow_wire_reply_rules: event.currentTarget.checked })}
        />
        {texts.spaces.ownRules}
      </label>
    </>
  );
}
