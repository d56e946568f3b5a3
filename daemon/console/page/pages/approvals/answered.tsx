import type { Approval } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { urlOf } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { Empty } from "../../parts/empty.js";
import { List, useList } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { nameOf, STATUSES } from "./store.js";

export const ENDED = ["approved", "rejected", "expired", "withdrawn"] as const;

export function Answered({ status }: { status: (typeof ENDED)[number] }) {
  const list = useList(`approvals ${status}`, (signal) => dashboard.approvals.list({ status }, { signal }));
  const empty = <Empty title={`Nothing ${STATUSES[status].toLowerCase()}`} />;
  return (
    <List of={list} empty={empty}>
      {(approval) => <Row key={approval.id} approval={approval} />}
    </List>
  );
}

function Row({ approval }: { approval: Approval }) {
  const { id, decided_at, created_at, error } = approval;
  return (
    <li class="row">
      <a class="to" href={`${urlOf("approvals", id)}?status=${approval.status}`}>
        {nameOf(approval)}
      </a>
      {error && (
        <span class="tag bad">
          <Address address="not sent" />
        </span>
      )}
      <span class="quiet end">
        <Time at={decided_at ?? created_at} />
      </span>
    </li>
  );
}
