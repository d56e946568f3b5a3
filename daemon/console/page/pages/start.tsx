import type { Handle } from "@wireroom/sdk";
import { useRef, useState } from "preact/hooks";
import { agent, dashboard } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { BASE, urlOf } from "../app/router.js";
import { Button } from "../parts/button.js";
import { Show, useLoad } from "../parts/load.js";
import { Problem } from "../parts/problem.js";
import { texts } from "../texts/index.js";
import { pending } from "./approvals/store.js";
import { HostConfiguration } from "./handles/hosts.js";
import { Secret } from "./handles/keys.js";
import { isSlug, SlugField } from "./handles/slug-field.js";

/** The first page: what waits for the human, or the first steps of one without a handle. */
export default function Start() {
  useTitle(texts.start.title);
  const handles = useLoad("handles", (signal) => dashboard.handles.list({}, { signal }));
  // The first steps stay in view after the first of them has made a handle.
  const [isNew, setNew] = useState<boolean>();
  if (handles.data && isNew === undefined) setNew(handles.data.items.length === 0);
  return (
    <>
      <h1>{texts.start.title}</h1>
      <Show of={handles}>{({ items }) => (isNew ? <FirstSteps /> : <Overview handles={items} />)}</Show>
    </>
  );
}

function Overview({ handles }: { handles: readonly Handle[] }) {
  return (
    <>
      <section class="sheet">
        <h2>{texts.sections.approvals}</h2>
        <p>
          <a href={`${BASE}/approvals`}>{texts.start.waiting(pending.value?.length)}</a>
        </p>
      </section>
      <section class="sheet">
        <h2>{texts.sections.handles}</h2>
        <ul class="bare">
          {handles.map(({ slug }) => (
            <li key={slug} class="row">
              <a class="address" href={urlOf("handles", slug)}>
                @{slug}
              </a>
              <a href={urlOf("read", slug)}>{texts.start.inbox(slug)}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href={`${BASE}/new-handle`}>{texts.asHandle.create}</a>
        </p>
      </section>
    </>
  );
}

/** Makes a handle with a key, sends a wire, and shows how to connect an agent. */
function FirstSteps() {
  const [slug, setSlug] = useState("");
  const [secret, setSecret] = useState<string>();
  const [wireId, setWireId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const attempt = (action: () => Promise<void>) => async () => {
    setError(undefined);
    await action().catch(setError);
  };
  const created = useRef<{ id: string; slug: string } | undefined>(undefined);
  const create = attempt(async () => {
    // If only the key could not be issued, the handle exists already.
    if (created.current?.slug !== slug) created.current = await dashboard.handles.create({ slug });
    setSecret((await dashboard.keys.issue({ handle_id: created.current.id })).key);
  });
  const send = attempt(async () => {
    const { id } = await agent(slug).wires.send({ to: `@${slug}`, text: texts.start.testWire });
    setWireId(id);
  });
  return (
    <>
      <p>{texts.start.welcome}</p>
      {error !== undefined && <Problem error={error} />}
      <section class="sheet">
        <h2>{texts.start.steps.handle}</h2>
        {secret === undefined ? (
          <form onSubmit={(event) => event.preventDefault()}>
            <p>{texts.start.handleText}</p>
            <SlugField slug={slug} onInput={setSlug} />
            <p class="hint">{texts.handles.forEver}</p>
            <div class="actions">
              <Button kind="main" type="submit" disabled={!isSlug(slug)} onClick={create}>
                {texts.start.create}
              </Button>
            </div>
          </form>
        ) : (
          <Secret secret={secret} />
        )}
      </section>
      <section class="sheet">
        <h2>{texts.start.steps.wire}</h2>
        <p>{texts.start.wireText}</p>
        {wireId === undefined ? (
          <Button disabled={secret === undefined} onClick={send}>
            {texts.start.send}
          </Button>
        ) : (
          <p class="done">
            {texts.start.sent} <a href={urlOf("read", slug)}>{texts.start.inbox(slug)}</a>
          </p>
        )}
      </section>
      {secret === undefined ? (
        <section class="sheet">
          <h2>{texts.start.steps.agent}</h2>
          <p>{texts.start.agentText}</p>
        </section>
      ) : (
        <>
          <h2>{texts.start.steps.agent}</h2>
          <HostConfiguration slug={slug} />
        </>
      )}
    </>
  );
}
