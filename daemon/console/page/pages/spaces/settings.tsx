/** The settings of a space: a form for its owner, facts for everyone else. */
import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { useDraft } from "../../app/draft.js";
import type { Params } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { AskingButton } from "../../parts/dialog.js";
import { changesOf } from "../../parts/editor/changes.js";
import { textOfRule } from "../../parts/editor/rule-field.js";
import { NameField, TextField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { SchemaLink } from "../../parts/wire/schema-link.js";
import { inputOf, SpaceFields } from "./form.js";
import { type InSpace, POSTING, SpaceFrame } from "./frame.js";

export default function Settings({ params }: { params: Params }) {
  return (
    <SpaceFrame slug={params.slug!} tab="settings">
      {(inSpace) =>
        inSpace.role === "owner" ? (
          <>
            <SettingsForm {...inSpace} />
            <Transfer {...inSpace} />
          </>
        ) : (
          <Facts {...inSpace} />
        )
      }
    </SpaceFrame>
  );
}

function Facts({ as, space }: InSpace) {
  const { posting_rights, root_rule, reply_rule, retain_days, tags, created_at } = space;
  return (
    <>
      <p>Only the owner changes the settings.</p>
      <dl class="facts sheet">
        <dt>Who may post</dt>
        <dd>{POSTING[posting_rights]}</dd>
        <dt>Rule for new wires</dt>
        <dd>
          <Rule rule={root_rule} as={as} />
        </dd>
        <dt>Rule for replies</dt>
        <dd>
          <Rule rule={reply_rule} as={as} />
        </dd>
        <dt>Keep wires for</dt>
        <dd>{retain_days === null ? "For ever" : retain_days === 1 ? "1 day" : `${retain_days} days`}</dd>
        {tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>{tags.map(visible).join(", ")}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={created_at} />
        </dd>
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
  const [draft, setDraft] = useDraft<Partial<typeof saved>>(`space ${space.slug}`, {});
  const value = { ...saved, ...draft };
  const change = (fields: Partial<typeof saved>) => setDraft(changesOf(saved, { ...value, ...fields }));
  const save = async () => {
    const { description, retain_days } = value;
    const whole = {
      ...inputOf(value),
      description: description === "" ? null : description,
      retain_days: retain_days === "" ? null : Number(retain_days),
    };
    const input = Object.fromEntries(Object.entries(whole).filter(([name]) => name in draft));
    await agent(as).spaces.update({ slug: space.slug, ...input });
    await reload();
    setDraft({});
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <SpaceFields value={value} onChange={change} />
      <TextField
        label="Keep wires for"
        hint="Days, 1 to 3650. Older wires are hidden at once and deleted within an hour. Empty: for ever."
        type="number"
        min={1}
        max={3_650}
        value={value.retain_days}
        onInput={(retain_days) => change({ retain_days })}
      />
    </Form>
  );
}

function Transfer({ as, space: { slug }, reload }: InSpace) {
  const [handle, setHandle] = useState("");
  const owner = handle.trim().replace(/^@/, "");
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>Transfer the space</h2>
      <NameField
        label="New owner"
        hint="A member that is a contact or a handle of yours. The new owner decides about everything in this space."
        value={handle}
        onInput={setHandle}
      />
      <AskingButton
        text="Transfer the space"
        type="submit"
        disabled={owner === ""}
        title={`Transfer #${slug} to @${owner}?`}
        typed={slug}
        run={async () => {
          await agent(as).spaces.update({ slug, transfer_owner: owner });
          reload();
        }}
      >
        <p>@{as} becomes a mod. Only the new owner can give the space back.</p>
      </AskingButton>
    </form>
  );
}
