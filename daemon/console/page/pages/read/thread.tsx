/** The page of a thread as a handle reads it: live, with a form for replies. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { agent, dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { type Params, query, setQuery } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Compose } from "../../parts/editor/compose.js";
import { LiveList } from "../../parts/live-list.js";
import { useReloaded } from "../../parts/load.js";
import { type Listed, type ListPage, readPages, useLive, withItems } from "../../parts/use-live.js";
import { Wire } from "../../parts/wire.js";
import { snippetOf } from "../approvals/store.js";

const PAGE_SIZE = 100;
const MOST_PAGES = 10;
/** Number of characters of the quoted wire above a reply. */
const QUOTED = 200;
/** Interval at which the receipts are read again. */
const READ_AGAIN_MS = 60_000;

export default function Thread({ as, params }: { as: string; params: Params }) {
  const id = params.id!;
  const thread = useLive<WireData>(`thread ${as} ${id}`, {
    list: (signal) => wholeThread(as, id, signal),
    after: ({ cursor, wait }, signal) =>
      agent(as).threads.get({ id, cursor, wait, limit: PAGE_SIZE }, { signal }),
    keyOf: (wire) => wire.id,
    growsAt: "end",
  });
  const [root] = thread.data?.items ?? [];
  const to = root && toOf(root, as);
  // Only the list of sent wires says whether they were read.
  const receipts = useReloaded(
    `receipts ${as} ${to}`,
    async (signal) => {
      const input = { to: to!, limit: PAGE_SIZE, brief: true };
      const wires = to?.startsWith("@") ? (await agent(as).sent.list(input, { signal })).wires : [];
      return new Map(wires.map((wire) => [wire.id, wire.delivery]));
    },
    READ_AGAIN_MS,
  ).data;
  const end = useRef<HTMLDivElement>(null);
  const isLoaded = root !== undefined;
  useLayoutEffect(() => {
    if (isLoaded && !query.value.has("reply")) end.current?.scrollIntoView({ block: "end" });
  }, [isLoaded]);
  const render = useCallback(
    (wire: WireData) => {
      const delivery = receipts?.get(wire.id);
      return (
        <Wire wire={delivery ? { ...wire, delivery } : wire} as={as} known={toOf(wire, as)} isInThread>
          {wire.tombstone === null && (
            <Button kind="link" onClick={() => setQuery("reply", wire.id)}>
              Reply
            </Button>
          )}
        </Wire>
      );
    },
    [as, receipts],
  );
  const title = to === undefined ? "Thread" : `Thread ${to.startsWith("#") ? "in" : "with"} ${to}`;
  const topic = root && !root.tombstone ? `: ${snippetOf({ wire: root })}` : "";
  useTitle(`${title} – @${as}`);
  return (
    <>
      <h1>
        <bdi>
          {title}
          {topic}
        </bdi>
      </h1>
      <div class="conversation" ref={end}>
        <LiveList of={thread} keyOf={(wire) => wire.id} empty={null} render={render} />
        {thread.data && <Reply of={thread.data} as={as} onSent={thread.reload} />}
      </div>
    </>
  );
}

/** Reads a thread to its end, where its newest wires are, unless it is very long. */
async function wholeThread(as: string, id: string, signal: AbortSignal): Promise<ListPage<WireData>> {
  const first = dashboard.handles.thread({ slug: as, id, limit: PAGE_SIZE }, { signal });
  const pages = await readPages(first, MOST_PAGES);
  return withItems(
    pages.at(-1)!,
    pages.flatMap(({ items }) => items),
  );
}

/** Returns the recipient of a reply: the other handle, or the space. */
function toOf({ sender, recipient, space }: WireData, as: string): string {
  return space === null ? `@${sender === as ? recipient : sender}` : `#${space}`;
}

/**
 * A form for a reply to the wire that the URL names, or else to the thread's last wire, preferably one by
 * another handle. The URL names the wire as soon as the human begins one, so that it stays the same.
 */
function Reply({ of: { items }, as, onSent }: { of: Listed<WireData>; as: string; onSent: () => void }) {
  const chosen = query.value.get("reply");
  /** Whether the human has sent a reply and has not begun another one. */
  const [isSent, setSent] = useState(false);
  const form = useRef<HTMLElement>(null);
  const left = items.filter(({ tombstone }) => !tombstone);
  const target = left.find(({ id }) => id === chosen);
  const targetId = target?.id;
  useEffect(() => {
    if (targetId !== undefined && !form.current!.contains(document.activeElement))
      form.current!.querySelector("textarea")?.focus();
  }, [targetId]);
  const wire = target ?? left.findLast(({ sender }) => sender !== as) ?? left.at(-1);
  if (!wire) return null;
  const { id, sender, text_body, reply_rule } = wire;
  const begin = () => {
    setSent(false);
    if (!target) setQuery("reply", id);
  };
  return (
    <section class="sheet" ref={form} onFocusIn={begin} onInput={begin}>
      <h2>Reply to @{sender}</h2>
      {text_body !== null && !isSent && <p class="quote snippet">{visible(text_body.slice(0, QUOTED))}</p>}
      <Compose
        as={as}
        to={toOf(wire, as)}
        replyTo={id}
        rule={reply_rule}
        onSent={() => {
          // The human may have begun a reply to another wire meanwhile.
          if (query.value.get("reply") === id) {
            setQuery("reply", "");
            setSent(true);
          }
          onSent();
        }}
      />
    </section>
  );
}
