/** The page of approvals: the live list of what waits, answered by keys or buttons, and past answers. */
import type { Approval } from "@wireroom/sdk";
import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, navigate, type Params, query, urlOf } from "../../app/router.js";
import { useShortcuts } from "../../app/shortcuts.js";
import { visible } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { Loading, Show, useLoad } from "../../parts/load.js";
import { Problem } from "../../parts/problem.js";
import { ScrolledNav } from "../../parts/scrolled-nav.js";
import { Time } from "../../parts/time.js";
import { Answered, ENDED } from "./answered.js";
import { type Answer, decide, undo } from "./answers.js";
import { Details } from "./details.js";
import { allowNotifications, permission } from "./notify.js";
import { feedError, nameOf, pending, STATUSES } from "./store.js";

const KEY_TEXTS = {
  j: "Next",
  k: "Previous",
  a: "Approve",
  "Shift + A": "Approve, and always allow this recipient",
  r: "Reject",
  x: "Choose, to answer many at once",
  u: "Undo the last answer",
  "?": "Show this list",
};

export default function Approvals({ params }: { params: Params }) {
  useTitle("Approvals");
  const status = ENDED.find((each) => each === query.value.get("status"));
  // Undo must still work after the human has answered the last approval, when the list is empty.
  useShortcuts({ u: undo });
  return (
    <>
      <h1>Approvals</h1>
      <ScrolledNav class="tabs" label="States" current={status}>
        <a href={`${BASE}/approvals`} aria-current={status === undefined ? "page" : undefined}>
          {STATUSES.pending}
        </a>
        {ENDED.map((each) => (
          <a
            key={each}
            href={`${BASE}/approvals?status=${each}`}
            aria-current={status === each ? "page" : undefined}
          >
            {STATUSES[each]}
          </a>
        ))}
      </ScrolledNav>
      {status === undefined ? (
        <Waiting id={params.id} />
      ) : params.id === undefined ? (
        <Answered status={status} />
      ) : (
        <One id={params.id} status={status} />
      )}
    </>
  );
}

function Waiting({ id }: { id: string | undefined }) {
  const list = pending.value;
  if (!list) {
    if (feedError.value !== undefined) return <Problem error={feedError.value} />;
    return <Loading />;
  }
  return (
    <>
      {feedError.value !== undefined && <Problem error={feedError.value} />}
      {permission.value === "default" && (
        <p>
          <Button kind="link" onClick={allowNotifications}>
            Notify me on this device
          </Button>
        </p>
      )}
      {list.length === 0 ? <None /> : <List list={list} id={id} />}
    </>
  );
}

function None() {
  return (
    <Empty title="Nothing waits for you">
      <p>
        A handle whose egress policy has the mode “approval” asks here before it sends to somebody new. Open a
        handle to change its policy.
      </p>
    </Empty>
  );
}

function List({ list, id }: { list: readonly Approval[]; id: string | undefined }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isHelpShown, showHelp] = useState(false);
  // If the URL has no id, show the first approval and keep showing it, so that an answer never goes to
  // another approval.
  const first = useRef<string | undefined>(undefined);
  first.current = id === undefined ? (first.current ?? list[0]!.id) : undefined;
  const index = list.findIndex((each) => each.id === (id ?? first.current));
  const current = list[index];
  const selected = list.filter((each) => chosen.has(each.id)).map((each) => each.id);
  const count = selected.length > 0 && ` ${selected.length} selected`;
  const go = (step: number) => {
    const next = list[Math.min(Math.max(index + step, 0), list.length - 1)]!;
    navigate(`/approvals/${next.id}`, { replace: id !== undefined });
  };
  const toggle = (each: string) => {
    const next = new Set(chosen);
    if (!next.delete(each)) next.add(each);
    setChosen(next);
  };
  const answered = chosen.size > 0 ? selected : current ? [current.id] : [];
  const details = useRef<HTMLDivElement>(null);
  const answer = (what: Answer) => {
    // A narrow window hides the details. Ignore the key then, because the human has not read the approval.
    const isRead = chosen.size > 0 || details.current?.offsetParent !== null;
    if (answered.length === 0 || !isRead) return;
    const rest = list.filter((each) => !answered.includes(each.id));
    const next = rest.find((each) => list.indexOf(each) >= index) ?? rest.at(-1);
    setChosen(new Set());
    first.current = next?.id;
    decide(answered, what);
    if (id !== undefined) navigate(next ? `/approvals/${next.id}` : "/approvals", { replace: true });
  };
  const approve = () => answer({ status: "approved" });
  const reject = () => answer({ status: "rejected" });
  const remember = () => answer({ status: "approved", remember: true });
  /** Ignores the second click of a double click, because it would answer the next approval. */
  const once = (act: () => void) => (event: MouseEvent) => event.detail <= 1 && act();
  useShortcuts({
    j: () => go(1),
    k: () => go(-1),
    a: approve,
    A: remember,
    r: reject,
    x: () => current && toggle(current.id),
    "?": () => showHelp(true),
  });
  return (
    <>
      {chosen.size > 0 && selected.length === 0 && (
        <p class="done">
          What you selected was answered, withdrawn or has expired.{" "}
          <Button kind="link" onClick={() => setChosen(new Set())}>
            Clear the selection
          </Button>
        </p>
      )}
      <div
        class={`split${id === undefined ? "" : " has-item"}${selected.length > 0 ? " has-selection" : ""}`}
      >
        <ul class="list">
          {list.map((each) => (
            <li key={each.id} aria-current={each === current ? "true" : undefined} class="pick">
              <input
                type="checkbox"
                aria-label={`Choose @${each.handle} to ${each.target}`}
                checked={chosen.has(each.id)}
                onChange={() => toggle(each.id)}
              />
              <a class="to" data-keep-scroll href={urlOf("approvals", each.id)}>
                <strong>{nameOf(each)}</strong>
                <span class="snippet">{snippetOf(each)}</span>
              </a>
              <span class="quiet">
                <Time at={each.created_at} />
              </span>
            </li>
          ))}
        </ul>
        <div>
          <p class="back">
            <a href={`${BASE}/approvals`}>Back to the list</a>
          </p>
          <div class="actions">
            {answered.length > 0 && (
              <>
                <Button kind="main" onClick={once(approve)}>
                  Approve{count}
                </Button>
                <Button kind="danger" onClick={once(reject)}>
                  Reject{count}
                </Button>
                <Button onClick={once(remember)}>Approve{count} and always allow</Button>
              </>
            )}
            {selected.length > 0 && (
              <Button kind="link" onClick={() => setChosen(new Set())}>
                Clear the selection
              </Button>
            )}
            <Button kind="link" onClick={() => showHelp(true)}>
              Keyboard shortcuts
            </Button>
          </div>
          <div ref={details}>
            {current ? (
              <Details key={current.id} approval={current} />
            ) : (
              <p class="done">This one was answered, withdrawn or has expired.</p>
            )}
          </div>
        </div>
      </div>
      {isHelpShown && <Keys onClose={() => showHelp(false)} />}
    </>
  );
}

function snippetOf({ wire, knock }: Approval): string {
  const text = wire?.text_body ?? knock?.intro ?? JSON.stringify(wire?.payload ?? null);
  return visible(text.slice(0, 200));
}

function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        {Object.entries(KEY_TEXTS).map(([key, text]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}

/** Shows an ended approval. The API cannot return a single ended approval, so this searches the list. */
function One({ id, status }: { id: string; status: (typeof ENDED)[number] }) {
  const found = useLoad(`approval ${id}`, async (signal) => {
    for await (const each of dashboard.approvals.list({ status, limit: 100 }, { signal }))
      if (each.id === id) return each;
    throw new Error("There is no such approval.");
  });
  return <Show of={found}>{(approval) => <Details approval={approval} />}</Show>;
}
