/** The page of a handle's inbox, with a row for each conversation. */
import { signal } from "@preact/signals";
import type { ApprovalNotice, InboxItem, Knock } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { HandlePage } from "../../app/as-handle.js";
import { forgetKnown } from "../../app/known.js";
import { urlAs, urlOf } from "../../app/router.js";
import { unread } from "../../app/unread.js";
import { Address, HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Empty } from "../../parts/empty.js";
import { Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { LiveList } from "../../parts/wire/live-list.js";
import { useLive } from "../../parts/wire/use-live.js";
import { NewMark, originText, REMOVED_BY } from "../../parts/wire.js";
import { STATUSES, snippetOf } from "../approvals/store.js";
import { KNOCK_STATUSES, KnockAnswers } from "../people/knocks.js";
import { type Conversation, conversationsOf, inboxOf, keyOf, timeOf } from "./inbox-source.js";

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
          of={{
            ...live,
            items: conversationsOf(live.items),
            freshCount: conversationsOf(live.items.slice(0, live.freshCount)).length,
          }}
          keyOf={({ key }) => key}
          growsAt={source.growsAt}
          render={({ items }) => <Row items={items} isWhole={live.more === undefined} as={as} />}
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

/** @param isWhole whether the inbox is loaded to its end, so that no older item is missing */
function Row({ items, isWhole, as }: { items: Conversation["items"]; isWhole: boolean; as: string }) {
  // Prefer a wire to the notice of its removal, because the removed wire itself shows that it was removed.
  const newest = items.find(({ kind }) => kind !== "tombstone_notice") ?? items[0]!;
  const { wire, knock } = newest;
  const { keys, later } = unread.value;
  const newCount = items.filter((item) => keys.has(keyOf(item)) || timeOf(item) > later).length;
  const mark = <NewMark count={newCount} of={items.length} />;
  if (knock) return <ReceivedKnock knock={knock} as={as} mark={mark} />;
  if (newest.kind === "approval_notice") return <Decision notice={newest.notice} mark={mark} />;
  const threadId = wire?.thread_id ?? newest.notice!.thread_id;
  return (
    <article>
      <div class="row">
        {mark}
        <From item={newest} as={as} />
        {items.length > Math.max(newCount, 1) && (
          <span class="quiet">{`${items.length}${isWhole ? "" : "+"} received`}</span>
        )}
        <a class="to end quiet" href={urlAs(as, "threads", threadId)}>
          <Time at={timeOf(newest)} />
        </a>
      </div>
      {wire && (
        <div class="row last-wire">
          <span class="snippet" dir="auto">
            {wire.tombstone ? REMOVED_BY[wire.tombstone.removed_by] : snippetOf({ wire })}
          </span>
          {!wire.tombstone && <a href={`${urlAs(as, "threads", threadId)}&reply=${wire.id}`}>Reply</a>}
        </div>
      )}
    </article>
  );
}

function From({ item: { kind, wire, notice }, as }: { item: InboxItem; as: string }) {
  if (wire) {
    const origin = originText(wire);
    return (
      <>
        <HandleName slug={wire.sender} as={as} />
        {origin !== "" && <span class="quiet">{origin}</span>}
        {wire.schema_ref !== null && <bdi class="tag">{wire.schema_ref}</bdi>}
      </>
    );
  }
  if (kind === "space_notice")
    return (
      <>
        <HandleName slug={notice.sender} as={as} />
        <span class="quiet">{notice.reason === "mention" ? "mentions it in" : "replies to it in"}</span>
        <Address address={`#${notice.space}`} />
      </>
    );
  return kind === "tombstone_notice" ? (
    <span class="quiet">Notice: {REMOVED_BY[notice.removed_by]}</span>
  ) : null;
}

function Decision({ notice, mark }: { notice: ApprovalNotice; mark: ComponentChildren }) {
  const { approval_id, kind, target, status, note, error, decided_at } = notice;
  const state = status === "failed" ? "approved" : status;
  return (
    <>
      <div class="row">
        {mark}
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

/**
 * The human's answers to knocks, keyed by the knock's id. Kept outside the rows, because new items move the
 * rows.
 */
const answers = signal<Readonly<Record<string, Knock["status"]>>>({});

/** A received knock, which the human can answer here. */
function ReceivedKnock({ knock, as, mark }: { knock: Knock; as: string; mark: ComponentChildren }) {
  const status = answers.value[knock.id] ?? knock.status;
  return (
    <>
      <div class="row">
        {mark}
        <HandleName slug={knock.from} as={as} />
        <span class="quiet">knocks</span>
        <span class="tag">{KNOCK_STATUSES[status]}</span>
        <a class="to end quiet" href={`${urlAs(as, "people")}&knocks=received`}>
          <Time at={knock.created_at} />
        </a>
      </div>
      <AgentText text={knock.intro} />
      {status === "pending" && (
        <KnockAnswers
          knock={knock}
          as={as}
          onAnswer={(next) => {
            forgetKnown(as);
            answers.value = { ...answers.value, [knock.id]: next };
          }}
        />
      )}
    </>
  );
}
