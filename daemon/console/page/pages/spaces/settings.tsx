import type { PostingRule } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { changesOf } from "../../parts/editor/changes.js";
import { textOfRule } from "../../parts/editor/rule-field.js";
import { Field, NameInput } from "../../parts/field.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Problem } from "../../parts/problem.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { SchemaLink } from "../../parts/wire/schema-link.js";
import { texts } from "../../texts/index.js";
import { inputOf, SpaceFields } from "./form.js";
import { type InSpace, SpaceFrame } from "./frame.js";

export default function Settings({ params }: { params: Params }) {
  return (
    <SpaceFrame slug={params.slug!} tab="settings">
      {(inSpace) =>
        inSpace.role === "owner" ? (
          <>
            <Form {...inSpace} />
            <Transfer {...inSpace} />
          </>
        ) : (
          <Facts {...inSpace} />
        )
      }
    </SpaceFrame>
  );
}

/** What everyone who can read the space sees. */
function Facts({ as, space }: InSpace) {
  const { posting_rights, root_rule, reply_rule, retain_days, tags, created_at } = space;
  return (
    <>
      <p>{texts.spaces.ownerOnly}</p>
      <dl class="facts sheet">
        <dt>{texts.spaces.rights}</dt>
        <dd>{texts.spaces.posting[posting_rights]}</dd>
        <dt>{texts.spaces.rootRule}</dt>
        <dd>
          <Rule rule={root_rule} as={as} />
        </dd>
        <dt>{texts.spaces.replyRule}</dt>
        <dd>
          <Rule rule={reply_rule} as={as} />
        </dd>
        <dt>{texts.spaces.retain}</dt>
        <dd>{retain_days === null ? texts.spaces.forever : texts.spaces.days(retain_days)}</dd>
        {tags.length > 0 && (
          <>
            <dt>{texts.spaces.tags}</dt>
            <dd>{tags.map(visible).join(", ")}</dd>
          </>
        )}
        <dt>{texts.spaces.created}</dt>
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
      <li>{rule.allow_text ? texts.editor.allowText : texts.spaces.noText}</li>
      {rule.votable && <li>{texts.editor.votable}</li>}
      {rule.accepted_schemas.map((schema) => (
        <li key={schema}>
          {texts.wire.schemaLabel} <SchemaLink schema={schema} as={as} />
        </li>
      ))}
      {rule.inline_schema && (
        <li>
          {texts.editor.inline} <JsonTree value={rule.inline_schema} depth={2} />
        </li>
      )}
    </ul>
  );
}

function Form({ as, space, reload }: InSpace) {
  const [saved, setSaved] = useState({
    description: space.description ?? "",
    tags: space.tags.join(", "),
    posting_rights: space.posting_rights,
    root_rule: textOfRule(space.root_rule),
    reply_rule: textOfRule(space.reply_rule),
    allow_wire_reply_rules: space.allow_wire_reply_rules,
    retain_days: space.retain_days === null ? "" : String(space.retain_days),
  });
  const [value, setValue] = useState(saved);
  const [error, setError] = useState<unknown>();
  const save = async (event: MouseEvent) => {
    // The value of a number that the browser cannot read is empty, which would mean no limit.
    if ((event.currentTarget as HTMLButtonElement).form?.reportValidity() === false) return;
    setError(undefined);
    try {
      const { description, retain_days } = value;
      const whole = {
        ...inputOf(value),
        description: description === "" ? null : description,
        retain_days: retain_days === "" ? null : Number(retain_days),
      };
      const changed = changesOf(saved, value);
      const input = Object.fromEntries(Object.entries(whole).filter(([name]) => name in changed));
      await agent(as).spaces.update({ slug: space.slug, ...input });
      setSaved(value);
      showToast(texts.spaces.saved);
      reload();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <SpaceFields value={value} onChange={(fields) => setValue({ ...value, ...fields })} />
      <Field label={texts.spaces.retain} hint={texts.spaces.retainHint}>
        {(props) => (
          <input
            {...props}
            type="number"
            min={1}
            max={3_650}
            value={value.retain_days}
            onInput={(event) => setValue({ ...value, retain_days: event.currentTarget.value })}
          />
        )}
      </Field>
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button kind="main" type="submit" onClick={save}>
          {texts.spaces.save}
        </Button>
      </div>
    </form>
  );
}

function Transfer({ as, space: { slug }, reload }: InSpace) {
  const [handle, setHandle] = useState("");
  const [isAsking, setAsking] = useState(false);
  const owner = handle.trim().replace(/^@/, "");
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.spaces.transfer}</h2>
      <Field label={texts.spaces.newOwner} hint={texts.spaces.transferHint}>
        {(props) => <NameInput {...props} value={handle} onInput={setHandle} />}
      </Field>
      <Button kind="danger" type="submit" disabled={owner === ""} onClick={() => setAsking(true)}>
        {texts.spaces.transfer}
      </Button>
      {isAsking && (
        <Confirmation
          title={texts.spaces.transferTitle(`#${slug}`, `@${owner}`)}
          action={texts.spaces.transfer}
          typed={slug}
          run={async () => {
            await agent(as).spaces.update({ slug, transfer_owner: owner });
            reload();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.spaces.transferText(`@${as}`)}</p>
        </Confirmation>
      )}
    </form>
  );
}
