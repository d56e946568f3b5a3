/** The settings of a space, which only its owner changes. */
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Confirmation } from "../../parts/dialog.js";
import { textOfRule } from "../../parts/editor/rule-field.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";
import { inputOf, SpaceFields } from "./form.js";
import type { InSpace } from "./frame.js";

export default function Settings(inSpace: InSpace) {
  if (inSpace.role !== "owner")
    return (
      <fieldset disabled>
        <p>Only the owner changes the settings.</p>
        <SettingsForm {...inSpace} />
      </fieldset>
    );
  return (
    <>
      <SettingsForm {...inSpace} />
      <Transfer {...inSpace} />
    </>
  );
}

function SettingsForm({ as, space, role, reload }: InSpace) {
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
    <Form action={role === "owner" ? "Save" : undefined} run={save}>
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
