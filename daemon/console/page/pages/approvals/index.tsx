/** The page of approvals: the waiting ones, and past decisions. */
import { useEffect } from "preact/hooks";
import { isUnreachable } from "../../app/connection.js";
import { useTitle } from "../../app/layout.js";
import { BASE, type Params, query } from "../../app/router.js";
import { useShortcuts } from "../../app/shortcuts.js";
import { Empty } from "../../parts/list.js";
import { Loading } from "../../parts/load.js";
import { Problem } from "../../parts/problem.js";
import { Tabs } from "../../parts/tabs.js";
import { Answered, Decided, ENDED } from "./answered.js";
import { chosen, justAllowed, undo } from "./answers.js";
import { Notifications } from "./notifications.js";
import { feedError, pending, STATUSES } from "./store.js";
import { Waiting } from "./waiting.js";

export default function Approvals({ params: { id } }: { params: Params }) {
  useTitle("Approvals");
  const status = ENDED.find((each) => each === query.value.get("status"));
  // Undo must still work after the human has answered the last approval, when the list is empty.
  useShortcuts({ u: undo });
  useEffect(
    () => () => {
      justAllowed.value = [];
      chosen.value = new Set();
    },
    [],
  );
  return (
    <div class={`approvals${id === undefined ? "" : " has-item"}`}>
      <header class="row">
        <h1>Approvals</h1>
        <Tabs
          label="States"
          tabs={STATUSES}
          current={status ?? "pending"}
          hrefOf={(name) => `${BASE}/approvals${name === "pending" ? "" : `?status=${name}`}`}
        />
        <Notifications />
      </header>
      {status !== undefined &&
        (id === undefined ? <Answered status={status} /> : <Ended id={id} status={status} />)}
      {status === undefined && <Pending id={id} />}
    </div>
  );
}

function Pending({ id }: { id: string | undefined }) {
  const list = pending.value;
  // If the daemon does not answer, the frame of the page says so.
  const hasFailed = feedError.value !== undefined && !isUnreachable(feedError.value);
  const problem = hasFailed ? <Problem error={feedError.value} /> : undefined;
  if (!list) return problem ?? <Loading />;
  return (
    <>
      {problem}
      {list.length > 0 ? <Waiting list={list} id={id} /> : id === undefined ? <None /> : <Ended id={id} />}
    </>
  );
}

function None() {
  return (
    <Empty title="Nothing waits for you">
      <p>
        A handle whose egress policy has the mode “approval” asks here before it sends to somebody who is not
        on its allow list.
      </p>
      <a href={`${BASE}/handles`}>Choose a handle and change its policy</a>
    </Empty>
  );
}

/** @param status the list to which the link back leads */
function Ended({ id, status }: { id: string; status?: string }) {
  return (
    <>
      <p>
        <a href={`${BASE}/approvals${status === undefined ? "" : `?status=${status}`}`}>Back to the list</a>
      </p>
      <Decided id={id} />
    </>
  );
}
