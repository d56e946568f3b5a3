/** The settings of a space: a form for its owner, facts for everyone else. */
import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { visible } from "../../parts/agent-text.js";
import { counted } from "../../parts/count.js";
import { Confirmation } from "../../parts/dialog.js";
import { textOfRule } from "../../parts/editor/rule-field.js";
import { Fact } from "../../parts/fact.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { SchemaLink } from "../../parts/wire/schema-link.js";
import { inputOf, SpaceFields } from "./form.js";
import { type InSpace, POSTING } from "./frame.js";

export default function Settings(inSpace: InSpace) {
  if (inSpace.role !== "owner") return <Facts {...inSpace} />;
  return (
    <>
      <SettingsForm {...inSpace} />
      <Transfer {...inSpace} />
    </>
  );
}

function Facts({ as, space }: InSpace) {
  const { posting_rights, root_rule, reply_rule, retain_days, tags, created_at } = space;
  return (
    <>
      <p>Only the owner changes the settings.</p>
      <dl class="facts sheet">
        <Fact name="Who may post">{POSTING[posting_rights]}</Fact>
        <Fact name="Rule for new wires">
          <Rule rule={root_rule} as={as} />
        </Fact>
        <Fact name="Rule for replies">
          <Rule rule={reply_rule} as={as} />
        </Fact>
        <Fact name="Keep wires for">{retain_days === null ? "For ever" : counted(retain_days, "day")}</Fact>
        {tags.length > 0 && <Fact name="Tags">{tags.map(visible).join(", ")}</Fact>}
        <Fact name="Created">
          <Time at={created_at} />
        </Fact>
      </dl>
    </>
  );
}

function Rule({ rule, as }: { rule: PostingRule; as: string }) {
  return (
    <ul class="bare">
      <li>{rule.allow_text ? "Text is accepted" : "Text is not accepted"}</li>
      {rule.votable && <li>Wires can be voted on</li>}
      {rule.claimable && <li>Wires are jobs that one handle claims</li>}
      {rule.accepted_schemas.map((schema) => (
        <li key={schema}>
          Schema <SchemaLink schema={schema} as={as} />
        </li>
      ))}
      {rule.inline_schema && (
        <li>
          Schema of this rule alone <JsonTree value={rule.inline_schema} depth={2} />
        </li>
      )}
    </ul>
  );
}

function SettingsForm({ as, space, reload }: InSpace) {
  const saved = {
    description: space.description ?? "",
    tags: space.tags.join(", "),
    posting_rights: space.posting_rights,
    root_rule: textOfRule(space.root_rule),
    reply_rule: textOfRule(space.reply_rule),
    allow_wire_reply_rules: space.allow_wire_reply_rules,
    retain_days: space.retain_days === null ? "" : String(space.retain_days),
  };
  const { values, changes, field, clear } = useForm(saved, `space ${space.slug}`);
  const save = async () => {
    const { description, retain_days, ...text } = values;
    const whole = {
      ...inputOf({ ...text, description }),
      description: description || null,
      retain_days: retain_days === "" ? null : Number(retain_days),
    };
    const input = Object.fromEntries(Object.entries(whole).filter(([name]) => name in changes));
    await agent(as).spaces.update({ slug: space.slug, ...input });
    await reload();
    clear();
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <SpaceFields field={field} />
      <TextField
        label="Keep wires for"
        hint="Days, 1 to 3650. Older wires are hidden at once and deleted within an hour. Empty: for ever."
        type="number"
        min={1}
        max={3_650}
        {...field("retain_days")}
      />
    </Form>
  );
}

function Transfer({ as, space: { slug }, reload }: InSpace) {
  const [isAsking, setAsking] = useState(false);
  const { values, field, clear } = useForm({ transfer_owner: "" });
  const owner = values.transfer_owner.trim().replace(/^@/, "");
  return (
    <>
      <Form
        title="Transfer the space"
        action="Transfer the space"
        kind="danger"
        isReady={owner !== ""}
        run={() => setAsking(true)}
      >
        <TextField
          type="name"
          label="New owner"
          hint="A member that is a contact or a handle of yours. The new owner decides about everything in this space."
          {...field("transfer_owner")}
        />
      </Form>
      {isAsking && (
        <Confirmation
          title={`Transfer #${slug} to @${owner}?`}
          action="Transfer the space"
          typed={slug}
          onClose={() => setAsking(false)}
          run={async () => {
            await agent(as).spaces.update({ slug, transfer_owner: owner });
            clear();
            void reload();
          }}
        >
          <p>@{as} becomes a mod. Only the new owner can give the space back.</p>
        </Confirmation>
      )}
    </>
  );
}
