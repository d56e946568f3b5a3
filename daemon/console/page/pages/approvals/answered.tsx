import type { Approval } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { urlOf } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { Empty } from "../../parts/empty.js";
import { More, Show, useList } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { texts } from "../../texts/index.js";

/** The states of an approval that waits no more. */
export const ENDED = ["approved", "rejected", "expired", "withdrawn"] as const;

/** Approvals that were answered or have ended, newest first. */
export function Answered({ status }: { status: (typeof ENDED)[number] }) {
  const list = useList(status, (signal) => dashboard.approvals.list({ status }, { signal }));
  return (
    <Show of={list}>
      {(listed) =>
        listed.items.length === 0 ? (
          <Empty title={texts.approvals.noneEnded(texts.approvals.statuses[status])} />
        ) : (
          <>
            <ul class="list">
              {listed.items.map((approval) => (
                <Row key={approval.id} approval={approval} />
              ))}
            </ul>
            <More of={listed} />
          </>
        )
      }
    </Show>
  );
}

function Row({ approval }: { approval: Approval }) {
  const { id, handle, target, decided_at, created_at, error } = approval;
  return (
    <li class="row">
      <a href={`${urlOf("approvals", id)}?status=${approval.status}`}>
        {texts.approvals.from(handle, target)}
      </a>
      {error && (
        <span class="tag bad">
          <Address address={texts.approvals.failed} />
        </span>
      )}
      <span class="quiet end">
        <Time at={decided_at ?? created_at} />
      </span>
    </li>
  );
}
