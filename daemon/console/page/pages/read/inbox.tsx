/** The page of a handle's inbox, with a row for each conversation. */
import type { ApprovalNotice, InboxItem, Tombstone } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { unread } from "../../app/badges.js";
import { dashboard } from "../../app/clients.js";
import { keyIn, query, setQuery, urlAs, urlOf } from "../../app/router.js";
import { Address, HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Select } from "../../parts/field.js";
import { contains, Filter } from "../../parts/filter.js";
import { previewOf } from "../../parts/json-tree.js";
import { Empty } from "../../parts/list.js";
import { LiveList } from "../../parts/live-list.js";
import { useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { useLive } from "../../parts/use-live.js";
import { useSeen } from "../../parts/use-seen.js";
import { NewMark, originText, REMOVED_BY } from "../../parts/wire.js";
import { contentOf } from "../approvals/filter.js";
import { STATUSES, snippetOf } from "../approvals/store.js";
import { KnockRow } from "../people/knocks.js";
import { type Conversation, conversationsOf, inboxOf, keyOf, timeOf } from "./inbox-source.js";

/** Keyed by `?show=`. */
const KINDS = {
  everything: "Everything",
  unread: "New for its agent",
  decisions: "Decisions",
  knocks: "Knocks",
};

export default function Inbox({ as }: { as: string }) {
  const { data: live, ...inbox } = useLive(`inbox ${as}`, inboxOf(as));
  const show = keyIn(KINDS, query.value.get("show")) ?? "everything";
  const words = query.value.get("words") ?? "";
  const isMatch = ({ items }: Conversation) =>
    (show === "everything" ||
      items.some((item) =>
        show === "unread" ? isNew(item) : item.kind === (show === "knocks" ? "knock" : "approval_notice"),
      )) &&
    items.some((item) => contains(textOf(item), words));
  const rowsOf = (items: readonly InboxItem[]) => conversationsOf(items).filter(isMatch);
  const data = live && {
    ...live,
    items: rowsOf(live.items),
    freshCount: rowsOf(live.items.slice(0, live.freshCount)).length,
  };
  // A notice may be in the list, or wait until it may be inserted. Its wire shows no content in both cases.
  const removals = new Map<string, Tombstone["removed_by"]>();
  for (const { kind, notice } of [...(live?.items ?? []), ...(live?.arrived ?? [])])
    if (kind === "tombstone_notice") removals.set(notice.wire_id, notice.removed_by);
  const empty =
    live?.items.length === 0 ? (
      <Empty title="Nothing received yet">
        <p>Wires and knocks to @{as} appear here.</p>
      </Empty>
    ) : (
      <p>Nothing of what is loaded matches.</p>
    );
  return (
    <>
      <Filter words={words} onWords={(next) => setQuery("words", next)}>
        <Select
          aria-label="Show"
          value={show}
          options={KINDS}
          onChange={(kind) => setQuery("show", kind === "everything" ? "" : kind)}
        />
      </Filter>
      <LiveList
        of={{ ...inbox, data }}
        keyOf={({ key }) => key}
        render={({ items }) => <Row items={items} removals={removals} isWhole={!data?.more} as={as} />}
        empty={empty}
      />
    </>
  );
}

function isNew(item: InboxItem): boolean {
  return unread.value.keys.has(keyOf(item)) || timeOf(item) > unread.value.later;
}

/** Returns what the filter searches: the other handle or the recipient, and the text. */
function textOf({ wire, knock, notice }: InboxItem): string {
  if (wire) return `@${wire.sender} ${contentOf({ wire })}`;
  if (knock) return `@${knock.from} ${knock.intro}`;
  return JSON.stringify(notice);
}

interface RowProps {
  items: Conversation["items"];
  /** Who removed wires, by the ids of these. */
  removals: ReadonlyMap<string, Tombstone["removed_by"]>;
  /** Whether the inbox is loaded to its end, so that no older item is missing. */
  isWhole: boolean;
  as: string;
}

function Row({ items, removals, isWhole, as }: RowProps) {
  // Prefer a wire to the notice of its removal, because the removed wire itself shows that it was removed.
  const newest = items.find(({ kind }) => kind !== "tombstone_notice") ?? items[0]!;
  const { wire, knock } = newest;
  const newCount = items.filter(isNew).length;
  const mark = <NewMark count={newCount} of={items.length} />;
  if (knock) return <KnockRow knock={knock} as={as} mark={mark} />;
  if (newest.kind === "approval_notice") return <Decision notice={newest.notice} mark={mark} />;
  const threadId = wire?.thread_id ?? newest.notice!.thread_id;
  const removedBy = wire && (wire.tombstone?.removed_by ?? removals.get(wire.id));
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
            {removedBy ? REMOVED_BY[removedBy] : snippetOf({ wire })}
          </span>
          {!removedBy && <a href={`${urlAs(as, "threads", threadId)}&reply=${wire.id}`}>Reply</a>}
        </div>
      )}
      {/* Without a text, the payload itself is above. */}
      {wire && !removedBy && wire.payload !== null && wire.text_body !== null && (
        <span class="snippet" dir="auto">
          {previewOf(wire.payload)}
        </span>
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
        {wire.payload !== null && <span class="tag">Payload</span>}
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
      <Decided id={approval_id} />
      {note !== null && <AgentText text={note} />}
    </>
  );
}

/** The first words of what was decided. */
function Decided({ id }: { id: string }) {
  const [place, isSeen] = useSeen<HTMLSpanElement>();
  return (
    <span ref={place} class="snippet" dir="auto">
      {isSeen ? <DecidedText id={id} /> : " "}
    </span>
  );
}

function DecidedText({ id }: { id: string }) {
  const { data } = useLoad(`approval ${id}`, (signal) => dashboard.approvals.get({ id }, { signal }));
  return <>{data ? snippetOf(data) : " "}</>;
}
