/** The page of a handle's inbox. */
import type { InboxItem, Knock } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { forgetKnown } from "../../app/known.js";
import { urlAs, urlOf } from "../../app/router.js";
import { Address, HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Empty } from "../../parts/empty.js";
import { Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { LiveList } from "../../parts/wire/live-list.js";
import { useLive } from "../../parts/wire/use-live.js";
import { NewMark, REMOVED_BY, Wire } from "../../parts/wire.js";
import { STATUSES } from "../approvals/store.js";
import { KNOCK_STATUSES } from "../people/knocks.js";
import { inboxOf, keyOf } from "./inbox-source.js";

export default function Inbox() {
  return <HandlePage title="Inbox">{(as) => <Items as={as} />}</HandlePage>;
}

function Items({ as }: { as: string }) {
  const source = inboxOf(as);
  const inbox = useLive(`inbox ${as}`, source);
  return (
    <Show of={inbox}>
      {(live) => (
        <LiveList
          of={live}
          keyOf={source.keyOf}
          growsAt={source.growsAt}
          render={(item) => <Item item={item} as={as} />}
          empty={
            <Empty title="Nothing received yet">
              <p>Wires and knocks to @{as} appear here.</p>
            </Empty>
          }
        />
      )}
    </Show>
  );
}

function Item({ item, as }: { item: InboxItem; as: string }) {
  if (item.kind === "wire") return <Wire wire={item.wire} as={as} known={`@${as}`} />;
  if (item.kind === "knock") return <ReceivedKnock knock={item.knock} as={as} />;
  if (item.kind === "approval_notice") {
    const { approval_id, kind, target, status, note, error, decided_at } = item.notice;
    const state = status === "failed" ? "approved" : status;
    return (
      <>
        <div class="row">
          <NewMark name={keyOf(item)} />
          <span class="tag">{STATUSES[state]}</span>
          <span class="quiet">{kind} to</span>
          <Address address={target} />
          {error && <span class="tag bad">not sent: {error}</span>}
          <a class="to end quiet" href={`${urlOf("approvals", approval_id)}?status=${state}`}>
            <Time at={decided_at} />
          </a>
        </div>
        {note !== null && <AgentText text={note} />}
      </>
    );
  }
  if (item.kind === "space_notice") {
    const { reason, sender, space, thread_id, created_at } = item.notice;
    return (
      <div class="row">
        <NewMark name={keyOf(item)} />
        <HandleName slug={sender} as={as} />
        <span class="quiet">{reason === "mention" ? "mentions it in" : "replies to it in"}</span>
        <Address address={`#${space}`} />
        <a class="to end quiet" href={urlAs(as, "threads", thread_id)}>
          <Time at={created_at} />
        </a>
      </div>
    );
  }
  const { removed_by, removed_at, thread_id } = item.notice;
  return (
    <div class="row quiet">
      <NewMark name={keyOf(item)} />
      Notice: {REMOVED_BY[removed_by]}
      <a class="to end quiet" href={urlAs(as, "threads", thread_id)}>
        <Time at={removed_at} />
      </a>
    </div>
  );
}

/** A knock that is answered in place. */
function ReceivedKnock({
  knock: { id, from, intro, created_at, ...knock },
  as,
}: {
  knock: Knock;
  as: string;
}) {
  const [answered, setAnswered] = useState<Knock["status"]>();
  const status = answered ?? knock.status;
  const answer = (next: "accepted" | "rejected") => async () => {
    await agent(as).knocks.answer({ id, status: next });
    forgetKnown(as);
    setAnswered(next);
  };
  return (
    <>
      <div class="row">
        <NewMark name={id} />
        <HandleName slug={from} as={as} />
        <span class="quiet">knocks</span>
        <span class="tag">{KNOCK_STATUSES[status]}</span>
        <a class="to end quiet" href={`${urlAs(as, "people")}&knocks=received`}>
          <Time at={created_at} />
        </a>
      </div>
      <AgentText text={intro} />
      {status === "pending" && (
        <div class="actions">
          <Button kind="main" label={`Accept the knock of @${from}`} onClick={answer("accepted")}>
            Accept
          </Button>
          <Button label={`Reject the knock of @${from}`} onClick={answer("rejected")}>
            Reject
          </Button>
        </div>
      )}
    </>
  );
}
