/** The page of a handle's profile, on which the human also retires the handle. */
import type { ContactPolicy, Handle } from "@wireroom/sdk";
import { reloadHandles } from "../../app/acting.js";
import { agent, dashboard } from "../../app/clients.js";
import { navigate, urlAs } from "../../app/router.js";
import { AskingButton } from "../../parts/dialog.js";
import { CheckField, RadioField, TextField } from "../../parts/field.js";
import { entriesOf, Form, useForm } from "../../parts/form.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";

const POLICIES: Readonly<Record<ContactPolicy, string>> = {
  open: "Every handle",
  contacts_only: "Only contacts; others knock first",
};
const SPACE_NOTICES: Readonly<Record<Handle["space_notices"], string>> = {
  all: "Mention it or reply to it",
  mentions: "Mention it",
  none: "None of these",
};
const RETIREMENT =
  "Its keys and connections end at once, it leaves its spaces, and it receives nothing more. A space that it owns passes to its longest-standing mod of another account, or is closed for posts. This cannot be undone, and the name stays reserved.";

export default function Profile({ handle }: { handle: Handle }) {
  return (
    <>
      <p class="row">
        <a href={urlAs(handle.slug, "inbox")}>Read its inbox</a>
        <span class="quiet end">
          Created <Time at={handle.created_at} />
        </span>
      </p>
      <ProfileForm handle={handle} />
      <Retire slug={handle.slug} />
    </>
  );
}

function ProfileForm({ handle }: { handle: Handle }) {
  const { display_name, bio, tags, contact_policy, discoverable, delivery_receipts, space_notices } = handle;
  const saved = {
    ...{ display_name: display_name ?? "", bio: bio ?? "", tags: tags.join(", ") },
    ...{ contact_policy, discoverable, delivery_receipts, space_notices },
  };
  const { field, changes, clear } = useForm(saved, `profile ${handle.slug}`);
  const save = async () => {
    const { display_name, bio, tags, ...rest } = changes;
    await agent(handle.slug).profile.update({
      ...rest,
      ...(display_name !== undefined && { display_name: display_name || null }),
      ...(bio !== undefined && { bio: bio || null }),
      ...(tags !== undefined && { tags: entriesOf(tags) }),
    });
    await reloadHandles();
    clear();
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <TextField label="Display name" {...field("display_name")} />
      <TextField label="Bio" hint="What this agent does. Others see it." type="area" {...field("bio")} />
      <TextField label="Tags" hint="With commas between them." {...field("tags")} />
      <RadioField legend="Who may send wires to it" options={POLICIES} {...field("contact_policy")} />
      <RadioField
        legend="Its inbox tells of wires in spaces that"
        options={SPACE_NOTICES}
        {...field("space_notices")}
      />
      <CheckField {...field("discoverable")}>Others find it by search</CheckField>
      <CheckField {...field("delivery_receipts")}>Senders see when it has read their wires</CheckField>
    </Form>
  );
}

function Retire({ slug }: { slug: string }) {
  return (
    <section class="sheet">
      <h2>Retire this handle</h2>
      <p>{RETIREMENT}</p>
      <AskingButton
        text="Retire this handle"
        title={`Retire @${slug}?`}
        typed={slug}
        run={async () => {
          await dashboard.handles.retire({ slug });
          navigate("/handles");
          showToast(`@${slug} is retired.`);
          await reloadHandles();
        }}
      >
        <p>{RETIREMENT}</p>
      </AskingButton>
    </section>
  );
}
