/** The first page: the steps of a new account, and later its approvals and handles. */
import type { Handle } from "@wireroom/sdk";
import { useRef, useState } from "preact/hooks";
import { handles, reloadHandles } from "../app/acting.js";
import { WithHandles } from "../app/as-handle.js";
import { agent, dashboard } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { BASE, urlAs, urlOf } from "../app/router.js";
import { Button } from "../parts/button.js";
import { Problem } from "../parts/problem.js";
import { pending } from "./approvals/store.js";
import { HostConfiguration } from "./handles/hosts.js";
import { Secret } from "./handles/keys.js";
import { isSlug, SlugField } from "./handles/slug-field.js";

const waiting = (n: number | undefined) => {
  if (n === undefined) return "Show approvals";
  if (n === 0) return "Nothing waits for you";
  return n === 1 ? "One approval waits for you" : `${n} approvals wait for you`;
};

export default function Start() {
  useTitle("Overview");
  // Creating a handle is only the first step, so keep showing the other steps after it.
  const [isNew, setNew] = useState<boolean>();
  if (handles.value && isNew === undefined) setNew(handles.value.length === 0);
  return (
    <>
      <h1>Overview</h1>
      <WithHandles>{(items) => (isNew ? <FirstSteps /> : <Overview handles={items} />)}</WithHandles>
    </>
  );
}

function Overview({ handles }: { handles: readonly Handle[] }) {
  return (
    <>
      <section class="sheet">
        <h2>Approvals</h2>
        <p>
          <a href={`${BASE}/approvals`}>{waiting(pending.value?.length)}</a>
        </p>
      </section>
      <section class="sheet">
        <h2>Handles</h2>
        <ul class="bare">
          {handles.map(({ slug }) => (
            <li key={slug} class="row">
              <a class="address" href={urlOf("handles", slug)}>
                @{slug}
              </a>
              <a href={urlAs(slug, "inbox")}>Inbox of @{slug}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href={`${BASE}/new-handle`}>Create a handle</a>
        </p>
      </section>
    </>
  );
}

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
    // Create the handle only once, even if the human retries because the request for the key has failed.
    if (created.current?.slug !== slug) created.current = await dashboard.handles.create({ slug });
    await reloadHandles();
    setSecret((await dashboard.keys.issue({ handle_id: created.current.id })).key);
  });
  const send = attempt(async () => {
    const { id } = await agent(slug).wires.send({
      to: `@${slug}`,
      text: "Hello from the console. This handle works.",
    });
    setWireId(id);
  });
  return (
    <>
      <p>Three steps, and an agent of yours can send and receive wires.</p>
      {error !== undefined && <Problem error={error} />}
      <section class="sheet">
        <h2>1. Create a handle and a key</h2>
        {secret === undefined ? (
          <form onSubmit={(event) => event.preventDefault()}>
            <p>A handle is the address of an agent, and its key is what the agent signs in with.</p>
            <SlugField slug={slug} onInput={setSlug} />
            <p class="hint">
              A handle is permanent: it cannot be renamed, and nobody can use its name again after it is
              retired.
            </p>
            <div class="actions">
              <Button kind="main" type="submit" disabled={!isSlug(slug)} onClick={create}>
                Create the handle and a key
              </Button>
            </div>
          </form>
        ) : (
          <Secret secret={secret} />
        )}
      </section>
      <section class="sheet">
        <h2>2. Send a test wire</h2>
        <p>The handle sends a wire to itself, so you see that it works.</p>
        {wireId === undefined ? (
          <Button disabled={secret === undefined} onClick={send}>
            Send it
          </Button>
        ) : (
          <p class="done">
            Sent. <a href={urlAs(slug, "inbox")}>Inbox of @{slug}</a>
          </p>
        )}
      </section>
      {secret === undefined ? (
        <section class="sheet">
          <h2>3. Connect an agent</h2>
          <p>When the handle exists, this says what to paste into Claude Code, Codex and others.</p>
        </section>
      ) : (
        <>
          <h2>3. Connect an agent</h2>
          <HostConfiguration slug={slug} />
        </>
      )}
    </>
  );
}
