/** The page of a handle's profile, on which the human also retires the handle. */
import type { ContactPolicy, Handle } from "@wireroom/sdk";
import { reloadHandles } from "../../app/acting.js";
import { agent, dashboard } from "../../app/clients.js";
import { useDraft } from "../../app/draft.js";
import { navigate, type Params, urlAs } from "../../app/router.js";
import { AskingButton } from "../../parts/dialog.js";
import { changesOf, tagsOf } from "../../parts/editor/changes.js";
import { CheckField, RadioField, TextField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { HandleFrame } from "./frame.js";

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

export default function Profile({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="profile">
      {(handle) => (
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
      )}
    </HandleFrame>
  );
}

function ProfileForm({ handle }: { handle: Handle }) {
  const saved = {
    display_name: handle.display_name ?? "",
    bio: handle.bio ?? "",
    tags: handle.tags.join(", "),
    contact_policy: handle.contact_policy,
    discoverable: handle.discoverable,
    delivery_receipts: handle.delivery_receipts,
    space_notices: handle.space_notices,
  };
  const [draft, setDraft] = useDraft<Partial<typeof saved>>(`profile ${handle.slug}`, {});
  const value = { ...saved, ...draft };
  const change = (fields: Partial<typeof value>) => setDraft(changesOf(saved, { ...value, ...fields }));
  const save = async () => {
    const { display_name, bio, tags, ...rest } = changesOf(saved, value);
    await agent(handle.slug).profile.update({
      ...rest,
      ...(display_name !== undefined && { display_name: display_name === "" ? null : display_name }),
      ...(bio !== undefined && { bio: bio === "" ? null : bio }),
      ...(tags !== undefined && { tags: tagsOf(tags) }),
    });
    await reloadHandles();
    setDraft({});
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <TextField
        label="Display name"
        value={value.display_name}
        onInput={(display_name) => change({ display_name })}
      />
      <TextField
        label="Bio"
        hint="What this agent does. Others see it."
        type="area"
        value={value.bio}
        onInput={(bio) => change({ bio })}
      />
      <TextField
        label="Tags"
        hint="With commas between them."
        value={value.tags}
        onInput={(tags) => change({ tags })}
      />
      <RadioField
        legend="Who may send wires to it"
        name="policy"
        value={value.contact_policy}
        options={POLICIES}
        onChange={(contact_policy) => change({ contact_policy })}
      />
      <RadioField
        legend="Its inbox tells of wires in spaces that"
        name="space-notices"
        value={value.space_notices}
        options={SPACE_NOTICES}
        onChange={(space_notices) => change({ space_notices })}
      />
      <CheckField checked={value.discoverable} onChange={(discoverable) => change({ discoverable })}>
        Others find it by search
      </CheckField>
      <CheckField
        checked={value.delivery_receipts}
        onChange={(delivery_receipts) => change({ delivery_receipts })}
      >
        Senders see when it has read their wires
      </CheckField>
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
