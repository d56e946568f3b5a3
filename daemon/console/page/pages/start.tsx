/** The first page: the first steps of a new account until an agent has made a call, and then each handle. */

import { signal } from "@preact/signals";
import type { Handle } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { handles, reloadHandles } from "../app/acting.js";
import { WithHandles } from "../app/as-handle.js";
import { agent, dashboard } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { BASE, urlAs, urlOf } from "../app/router.js";
import { whileVisible } from "../app/while-visible.js";
import { Address } from "../parts/address.js";
import { AgentText } from "../parts/agent-text.js";
import { Button } from "../parts/button.js";
import { counted } from "../parts/count.js";
import { Rows } from "../parts/list.js";
import { useLoad, useReloaded } from "../parts/load.js";
import { exactTime, Time } from "../parts/time.js";
import { showProblem } from "../parts/toast.js";
import { useSeen } from "../parts/use-seen.js";
import { pending } from "./approvals/store.js";
import { MODE_WORDS } from "./handles/egress.js";
import { HostConfiguration } from "./handles/hosts.js";
import { hasEnded, Secret, useAccess } from "./handles/keys.js";
import { NewHandleForm } from "./handles/new.js";
import { waitingFor } from "./read/waiting.js";

const ASK_MS = 5_000;
const RELOAD_MS = 60_000;

/** The overview, which is also the page of the handles. */
export default function Start({ title }: { title: string }) {
  useTitle(title);
  // Read the handles again, because the agents may have changed their profiles.
  useEffect(() => void reloadHandles(), []);
  return (
    <>
      <h1>{title}</h1>
      <WithHandles>{(items) => <Content handles={items} />}</WithHandles>
    </>
  );
}

/** Shows the first steps until an agent has made its first call, and the handles. */
function Content({ handles }: { handles: readonly Handle[] }) {
  const { data: access, reload } = useAccess();
  const isUsed =
    access && Object.values(access).some((each) => each.some(({ last_used_at }) => last_used_at !== null));
  // Keep the steps until the human leaves the page, so that the human sees the last step done.
  const [wasNew, setNew] = useState(false);
  const isWaiting = isUsed === false || handles.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is a new function at each call, and always the same
  useEffect(() => {
    if (!isWaiting) return;
    setNew(true);
    return whileVisible(reload, ASK_MS);
  }, [isWaiting]);
  if (handles.length === 0) return <FirstSteps slug={undefined} isUsed={false} />;
  return (
    <>
      {(isWaiting || wasNew) && <FirstSteps slug={handles[0]!.slug} isUsed={isUsed === true} />}
      <p class="row">
        <a class={pending.value?.length ? "button main" : undefined} href={`${BASE}/approvals`}>
          {pending.value?.length
            ? `${counted(pending.value.length, "approval")} ${pending.value.length === 1 ? "waits" : "wait"}`
            : pending.value
              ? "Nothing waits for you"
              : "Show approvals"}
        </a>
        <a class="button end" href={`${BASE}/new-handle`}>
          Create a handle
        </a>
      </p>
      {/* The key makes the page read the figures again after the first call. */}
      <Rows
        key={`${isWaiting}`}
        of={{ items: handles, more: undefined }}
        keyOf={({ id }) => id}
        render={(handle) => <Row handle={handle} access={access} />}
      />
    </>
  );
}

interface RowProps {
  handle: Handle;
  access: ReturnType<typeof useAccess>["data"];
}

/** Reads the figures of the handle when the row is seen, because they cost several requests. */
function Row({ handle, access }: RowProps) {
  const { id, slug, display_name, contact_policy, suspended } = handle;
  const [row, isSeen] = useSeen<HTMLDivElement>();
  const isClosed = contact_policy === "contacts_only";
  const keys = access?.keys.filter((key) => key.handle_id === id && !hasEnded(key)) ?? [];
  const connections = access?.connections.filter((each) => each.handle === slug) ?? [];
  const count = [
    ...(keys.length > 0 ? [counted(keys.length, "key")] : []),
    ...(connections.length > 0 ? [counted(connections.length, "application")] : []),
  ];
  return (
    <>
      <div ref={row} class="row">
        <Address address={`@${slug}`} href={urlOf("handles", slug)} isRow />
        {display_name !== null && <AgentText text={display_name} />}
        {suspended && <span class="tag bad">Suspended</span>}
        {isSeen && <Waiting slug={slug} />}
        <span class="end quiet">
          {count.join(", ")}
          {access && count.length === 0 && <a href={urlOf("handles", slug, "hosts")}>Connect an agent</a>}
        </span>
      </div>
      <p class="quiet policy">
        {isClosed && "Only contacts may write to it"}
        {isSeen && <Policy slug={slug} separator={isClosed ? " · " : ""} />}
      </p>
      {isSeen && <Activity slug={slug} />}
    </>
  );
}

function Policy({ slug, separator }: { slug: string; separator: string }) {
  const { data } = useLoad(`egress ${slug}`, (signal) => dashboard.egress.get({ slug }, { signal }));
  return data ? `${separator}${MODE_WORDS[data.mode]}${data.publish ? "" : " · publishes nothing"}` : null;
}

/** Shows what waits for the handle's agent, and the unanswered knocks. */
function Waiting({ slug }: { slug: string }) {
  const { data } = useReloaded(`waiting ${slug}`, (signal) => waitingFor(slug, signal), RELOAD_MS);
  if (!data) return null;
  const { inbox, people } = data;
  return (
    <>
      {people !== 0 && (
        <a class="tag" href={urlAs(slug, "people")}>
          {people === 1 ? "1 knock waits" : `${people} knocks wait`}
        </a>
      )}
      {inbox !== 0 && <a href={urlAs(slug, "inbox")}>{inbox} new for its agent</a>}
    </>
  );
}

const KINDS = ["received", "sent", "held", "refused"] as const;
const CHART_HEIGHT = 40;

function Activity({ slug }: { slug: string }) {
  const { data } = useReloaded(
    `activity ${slug}`,
    (signal) => dashboard.handles.activity({ slug }, { signal }),
    RELOAD_MS,
  );
  if (!data) return null;
  const { hours, last_pull_at } = data;
  const sum = (kind: (typeof KINDS)[number]) => hours.reduce((total, hour) => total + hour[kind], 0);
  const most = Math.max(...hours.flatMap((hour) => KINDS.map((kind) => hour[kind])));
  const words = KINDS.map((kind) => `${sum(kind)} ${kind}`).join(", ");
  return (
    <div class="activity">
      {most > 0 && (
        <svg
          viewBox={`0 0 ${hours.length * 5} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words}
        >
          {hours.map((hour, n) => (
            <g key={hour.at}>
              <title>{`${exactTime(Date.parse(hour.at))}: ${KINDS.map((kind) => `${hour[kind]} ${kind}`).join(", ")}`}</title>
              <rect class="back" x={n * 5} y={0} width={5} height={CHART_HEIGHT} />
              {KINDS.map((kind, k) => {
                const height = (hour[kind] / most) * CHART_HEIGHT;
                return (
                  <rect
                    key={kind}
                    class={kind}
                    x={n * 5 + k}
                    y={CHART_HEIGHT - height}
                    width={1}
                    height={height}
                  />
                );
              })}
            </g>
          ))}
        </svg>
      )}
      <p class="row">
        {most > 0
          ? KINDS.map((kind) => <span key={kind} class={`key ${kind}`}>{`${sum(kind)} ${kind}`}</span>)
          : "No wires in 24 hours"}
        <span class="quiet end">
          {last_pull_at === null ? (
            "No agent has read its inbox yet"
          ) : (
            <>
              Read by its agent <Time at={last_pull_at} />
            </>
          )}
        </span>
      </p>
    </div>
  );
}

/**
 * The key that this page has issued. It is in memory only, and is still shown when the human leaves the page
 * and comes back.
 */
const newKey = signal({ slug: "", key: "" });

async function issueKey(slug: string): Promise<void> {
  const { id } = handles.value!.find((each) => each.slug === slug)!;
  newKey.value = { slug, key: (await dashboard.keys.issue({ handle_id: id })).key };
}

function FirstSteps({ slug, isUsed }: { slug: string | undefined; isUsed: boolean }) {
  const [isSent, setSent] = useState(false);
  const send = async () => {
    await agent(slug!).wires.send({ to: `@${slug}`, text: "Hello from the console. This handle works." });
    setSent(true);
  };
  return (
    <>
      <p>Three steps, and an agent of yours can send and receive wires.</p>
      <section class={slug === undefined ? "sheet" : "done"}>
        <h2>1. Create a handle and a key</h2>
        {slug === undefined ? (
          <>
            <p>A handle is the address of an agent, and its key is what the agent signs in with.</p>
            <NewHandleForm
              class=""
              action="Create the handle and a key"
              onCreated={(created) => issueKey(created).catch(showProblem)}
            />
          </>
        ) : (
          <>
            <p>@{slug} is created.</p>
            {newKey.value.slug === slug ? (
              <Secret secret={newKey.value.key} />
            ) : (
              <Button onClick={() => issueKey(slug)}>Issue an API key</Button>
            )}
          </>
        )}
      </section>
      <section class={isSent ? "done" : "sheet"}>
        <h2>2. Send a test wire</h2>
        <p>The handle sends a wire to itself, so you see that it works.</p>
        {isSent ? (
          <p>
            Sent. <a href={urlAs(slug!, "inbox")}>Inbox of @{slug}</a>
          </p>
        ) : (
          <Button disabled={slug === undefined} onClick={send}>
            Send it
          </Button>
        )}
      </section>
      <section class={isUsed ? "done" : "sheet"}>
        <h2>3. Connect an agent</h2>
        <p role="status">
          {isUsed ? "An agent has made its first call." : "This page waits for the first call of an agent."}
        </p>
        {slug === undefined ? (
          <p>When the handle exists, this says what to paste into Claude Code, Codex and others.</p>
        ) : (
          <HostConfiguration slug={slug} />
        )}
      </section>
    </>
  );
}
