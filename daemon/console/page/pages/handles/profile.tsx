import { CONTACT_POLICIES, type Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent, dashboard } from "../../app/clients.js";
import { navigate, type Params, urlOf } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { changesOf } from "../../parts/editor/changes.js";
import { Field } from "../../parts/field.js";
import { Problem } from "../../parts/problem.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

export default function Profile({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="profile">
      {(handle, reload) => (
        <>
          <p class="row">
            <a href={urlOf("read", handle.slug)}>{texts.handles.read}</a>
            <span class="quiet end">
              {texts.handles.created} <Time at={handle.created_at} />
            </span>
          </p>
          <Form handle={handle} reload={reload} />
          <Retire slug={handle.slug} />
        </>
      )}
    </HandleFrame>
  );
}

function Form({ handle, reload }: { handle: Handle; reload: () => void }) {
  const [saved, setSaved] = useState({
    display_name: handle.display_name ?? "",
    bio: handle.bio ?? "",
    tags: handle.tags.join(", "),
    contact_policy: handle.contact_policy,
    discoverable: handle.discoverable,
    delivery_receipts: handle.delivery_receipts,
  });
  const [value, setValue] = useState(saved);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setError(undefined);
    const { display_name, bio, tags, ...rest } = changesOf(saved, value);
    try {
      await agent(handle.slug).profile.update({
        ...rest,
        ...(display_name !== undefined && { display_name: display_name === "" ? null : display_name }),
        ...(bio !== undefined && { bio: bio === "" ? null : bio }),
        ...(tags !== undefined && {
          tags: tags
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean),
        }),
      });
      setSaved(value);
      showToast(texts.handles.saved);
      reload();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <Field label={texts.handles.displayName}>
        {(props) => (
          <input
            {...props}
            value={value.display_name}
            onInput={(event) => setValue({ ...value, display_name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={texts.handles.bio} hint={texts.handles.bioHint}>
        {(props) => (
          <textarea
            {...props}
            value={value.bio}
            onInput={(event) => setValue({ ...value, bio: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={texts.handles.tags} hint={texts.handles.tagsHint}>
        {(props) => (
          <input
            {...props}
            value={value.tags}
            onInput={(event) => setValue({ ...value, tags: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset>
        <legend>{texts.handles.policy}</legend>
        {CONTACT_POLICIES.map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="policy"
              checked={value.contact_policy === each}
              onChange={() => setValue({ ...value, contact_policy: each })}
            />
            {texts.handles.policyTexts[each]}
          </label>
        ))}
      </fieldset>
      {(["discoverable", "delivery_receipts"] as const).map((each) => (
        <label key={each} class="check">
          <input
            type="checkbox"
            checked={value[each]}
            onChange={(event) => setValue({ ...value, [each]: event.currentTarget.checked })}
          />
          {texts.handles[each]}
        </label>
      ))}
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button kind="main" type="submit" onClick={save}>
          {texts.handles.save}
        </Button>
      </div>
    </form>
  );
}

function Retire({ slug }: { slug: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section class="sheet">
      <h2>{texts.handles.retire}</h2>
      <p>{texts.handles.retireText}</p>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {texts.handles.retire}
      </Button>
      {isAsking && (
        <Confirmation
          title={texts.handles.retireTitle(slug)}
          action={texts.handles.retire}
          typed={slug}
          run={async () => {
            await dashboard.handles.retire({ slug });
            showToast(texts.handles.retired(slug));
            navigate("/handles");
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.handles.retireText}</p>
        </Confirmation>
      )}
    </section>
  );
}
