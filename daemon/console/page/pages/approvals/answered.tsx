import type { Approval } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { urlOf } from "../../app/router.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Details } from "./details.js";
import { Heading } from "./list.js";
import { STATUSES, snippetOf } from "./store.js";

export const ENDED = ["approved", "rejected", "expired", "withdrawn"] as const;

export function Answered({ status }: { status: (typeof ENDED)[number] }) {
  const list = useList(`approvals ${status}`, (signal) => dashboard.approvals.list({ status }, { signal }));
  const empty = <Empty title={`Nothing ${STATUSES[status].toLowerCase()}`} />;
  return (
    <List
      of={list}
      empty={empty}
      keyOf={({ id }) => id}
      row="pick"
      render={(approval) => <Row approval={approval} />}
    />
  );
}

function Row({ approval }: { approval: Approval }) {
  const { id, status, decided_at, created_at, error, note } = approval;
  return (
    <a class="to" href={`${urlOf("approvals", id)}?status=${status}`}>
      <Heading approval={approval} at={decided_at ?? created_at} />
      <span class="snippet" dir="auto">
        {error && "Not sent: "}
        {snippetOf(approval)}
      </span>
      {note !== null && (
        <span class="snippet" dir="auto">
          Note: {note}
        </span>
      )}
    </a>
  );
}

/** Shows an approval that does not wait, such as one that was answered elsewhere. */
export function Decided({ id }: { id: string }) {
  const found = useLoad(`approval ${id}`, (signal) => dashboard.approvals.get({ id }, { signal }));
  return <Show of={found}>{(approval) => <Details approval={approval} />}</Show>;
}
