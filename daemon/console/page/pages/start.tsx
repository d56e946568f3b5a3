/** The first page: the steps of a new account until an agent has called, and the handles in numbers. */

import { signal } from "@preact/signals";
import { type Handle, inOrder } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { handles, reloadHandles } from "../app/acting.js";
import { WithHandles } from "../app/as-handle.js";
import { agent, dashboard } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { BASE, urlAs, urlOf } from "../app/router.js";
import { Button } from "../parts/button.js";
import { useLoad } from "../parts/load.js";
import { Problem } from "../parts/problem.js";
import { pending } from "./approvals/store.js";
import { HostConfiguration } from "./handles/hosts.js";
import { Secret } from "./handles/keys.js";
import { isSlug, NewHandleField } from "./handles/slug-field.js";

const ASK_MS = 5_000;
/** Number of handles whose numbers are shown, because each handle costs some requests. */
const MOST_NUMBERS = 10;

const waiting = (n: number | undefined) => {
  if (n === undefined) return "Show approvals";
  if (n === 0) return "Nothing waits for you";
  return n === 1 ? "One approval waits for you" : `${n} approvals wait for you`;
};

export default function Start() {
  useTitle("Overview");
  return (
    <>
      <h1>Overview</h1>
      <WithHandles>
        {(items) => (
          <>
            <Steps handles={items} />
            {items.length > 0 && <Overview handles={items} />}
          </>
        )}
      </WithHandles>
    </>
  );
}

/** Shows the first steps until an agent has made its first call. */
function Steps({ handles }: { handles: readonly Handle[] }) {
  const uses = useLoad("first use", async (signal) => {
    const [{ keys }, { connections }] = await Promise.all([
      dashboard.keys.list({ limit: 100 }, { signal }),
      dashboard.connections.list({ limit: 100 }, { signal }),
    ]);
    return [...keys, ...connections].some(({ last_used_at }) => last_used_at !== null);
  });
  // Keep the steps until the human leaves the page, so that the human sees the last step done.
  const [wasNew, setNew] = useState(false);
  const isWaiting = uses.data === false || handles.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is a new function at each call, and always the same
  useEffect(() => {
    if (!isWaiting) return;
    setNew(true);
    const timer = setInterval(uses.reload, ASK_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return isWaiting || wasNew ? <FirstSteps slug={handles[0]?.slug} isUsed={uses.data === true} /> : null;
}

function Overview({ handles }: { handles: readonly Handle[] }) {
  return (
    <section>
      <h2>Your handles</h2>
      <p>
        <a href={`${BASE}/approvals`}>{waiting(pending.value?.length)}</a>
      </p>
      <ul class="list">
        {handles.map(({ slug, suspended }, index) => (
          <li key={slug} class="row">
            <a class="to address" href={urlAs(slug, "inbox")}>
              @{slug}
            </a>
            {suspended && <span class="tag bad">Suspended</span>}
            {index < MOST_NUMBERS && <Numbers slug={slug} />}
            <a class="end" href={urlOf("handles", slug)}>
              Settings
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={`${BASE}/new-handle`}>
          Create a handle
        </a>
      </p>
    </section>
  );
}

/** Shows the unread items, the unanswered knocks and the wires sent within a day. */
function Numbers({ slug }: { slug: string }) {
  const numbers = useLoad(`numbers ${slug}`, async (signal) => {
    const { inbox, knocks, limits } = agent(slug);
    const [page, waiting, all] = await Promise.all([
      inbox.read({ limit: 100, brief: true }, { signal }),
      knocks.list({ direction: "received", status: "pending", limit: 100 }, { signal }),
      limits.get({ signal }),
    ]);
    const day = all.limits.find(({ name }) => name === "wires_per_day");
    return {
      unread: inOrder(page).length,
      knocks: waiting.items.length,
      sent: day?.limit && day.remaining !== null ? day.limit - day.remaining : undefined,
    };
  });
  if (!numbers.data) return null;
  const { unread, knocks, sent } = numbers.data;
  return (
    <span class="quiet">
      {[
        unread > 0 && `${unread === 100 ? "100 or more" : unread} new for its agent`,
        knocks > 0 && (knocks === 1 ? "1 knock waits" : `${knocks} knocks wait`),
        sent !== undefined && `${sent} sent in 24 hours`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}

/** A key that this page has issued. It survives Back, and nothing stores it. */
const newKey = signal({ slug: "", key: "" });

function FirstSteps({ slug: existing, isUsed }: { slug: string | undefined; isUsed: boolean }) {
  const [typed, setSlug] = useState("");
  const slug = existing ?? typed;
  const secret = newKey.value.slug === existing ? newKey.value.key : undefined;
  const [wireId, setWireId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const attempt = (action: () => Promise<void>) => async () => {
    setError(undefined);
    await action().catch(setError);
  };
  const issue = attempt(async () => {
    const handle = handles.value!.find((each) => each.slug === slug)!;
    newKey.value = { slug, key: (await dashboard.keys.issue({ handle_id: handle.id })).key };
  });
  const create = attempt(async () => {
    await dashboard.handles.create({ slug });
    await reloadHandles();
    await issue();
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
      <section class={existing === undefined ? "sheet" : "done"}>
        <h2>1. Create a handle and a key</h2>
        {existing === undefined ? (
          <form onSubmit={(event) => event.preventDefault()}>
            <p>A handle is the address of an agent, and its key is what the agent signs in with.</p>
            <NewHandleField name="slug" value={typed} onChange={setSlug} />
            <p class="hint">
              A handle is permanent: it cannot be renamed, and nobody can use its name again after it is
              retired.
            </p>
            <div class="actions">
              <Button kind="main" type="submit" disabled={!isSlug(typed)} onClick={create}>
                Create the handle and a key
              </Button>
            </div>
          </form>
        ) : (
          <>
            <p>@{slug} is created.</p>
            {secret === undefined ? (
              <Button onClick={issue}>Issue an API key</Button>
            ) : (
              <Secret secret={secret} />
            )}
          </>
        )}
      </section>
      <section class={wireId === undefined ? "sheet" : "done"}>
        <h2>2. Send a test wire</h2>
        <p>The handle sends a wire to itself, so you see that it works.</p>
        {wireId === undefined ? (
          <Button disabled={existing === undefined} onClick={send}>
            Send it
          </Button>
        ) : (
          <p>
            Sent. <a href={urlAs(slug, "inbox")}>Inbox of @{slug}</a>
          </p>
        )}
      </section>
      <section class={isUsed ? "done" : "sheet"}>
        <h2>3. Connect an agent</h2>
        <p role="status">
          {isUsed ? "An agent has made its first call." : "This page waits for the first call of an agent."}
        </p>
        {existing === undefined ? (
          <p>When the handle exists, this says what to paste into Claude Code, Codex and others.</p>
        ) : (
          <HostConfiguration slug={slug} />
        )}
      </section>
    </>
  );
}
