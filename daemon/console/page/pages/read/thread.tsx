/** The page of a thread as a handle reads it: live, with a form for replies. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { agent, dashboard } from "../../app/clients.js";
import { type Params, query, setQuery } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Compose } from "../../parts/editor/compose.js";
import { LiveList } from "../../parts/live-list.js";
import { type Listed, type ListPage, readPages, useLive, withItems } from "../../parts/use-live.js";
import { Wire } from "../../parts/wire.js";

const PAGE_SIZE = 100;
const MOST_PAGES = 10;
/** Number of characters of the quoted wire above a reply. */
const QUOTED = 200;

export default function Thread({ as, params }: { as: string; params: Params }) {
  const id = params.id!;
  const thread = useLive<WireData>(`thread ${as} ${id}`, {
    list: (signal) => wholeThread(as, id, signal),
    after: ({ cursor, wait }, signal) =>
      agent(as).threads.get({ id, cursor, wait, limit: PAGE_SIZE }, { signal }),
    keyOf: (wire) => wire.id,
    growsAt: "end",
  });
  const end = useRef<HTMLDivElement>(null);
  const isLoaded = thread.data !== undefined;
  useLayoutEffect(() => {
    if (isLoaded && !query.value.has("reply")) end.current?.scrollIntoView({ block: "end" });
  }, [isLoaded]);
  const render = useCallback(
    (wire: WireData) => (
      <Wire wire={wire} as={as} known={toOf(wire, as)} isInThread>
        {wire.tombstone === null && (
          <Button kind="link" onClick={() => setQuery("reply", wire.id)}>
            Reply
          </Button>
        )}
      </Wire>
    ),
    [as],
  );
  return (
    <div class="conversation" ref={end}>
      <LiveList of={thread} keyOf={(wire) => wire.id} empty={null} render={render} />
      {thread.data && <Reply of={thread.data} as={as} onSent={thread.reload} />}
    </div>
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
 * A form for a reply to the wire that the URL names. If the URL names no wire, the reply is to the thread's
 * last wire, preferably one by another handle.
 */
function Reply({ of: { items }, as, onSent }: { of: Listed<WireData>; as: string; onSent: () => void }) {
  const chosen = query.value.get("reply");
  const form = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = useRef<WireData | undefined>(undefined);
  const left = items.filter(({ tombstone }) => !tombstone);
  const target = left.find(({ id }) => id === chosen);
  const targetId = target?.id;
  useEffect(() => {
    if (targetId !== undefined) form.current?.querySelector("textarea")?.focus();
  }, [targetId]);
  const wire =
    target ??
    (isOpen ? shown.current : undefined) ??
    left.findLast(({ sender }) => sender !== as) ??
    left.at(-1);
  shown.current = wire;
  if (!wire) return null;
  const { id, sender, text_body, reply_rule } = wire;
  return (
    <details
      class="sheet"
      ref={form}
      // The form is closed if the wire in the URL was removed, or is on a page that is not loaded yet.
      open={target !== undefined}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        // Remove the wire from the URL, because the human has closed the form or now replies to another wire.
        if (chosen !== null && open !== (target !== undefined)) setQuery("reply", "");
      }}
    >
      <summary>Reply to @{sender}</summary>
      {text_body !== null && <p class="quote">{visible(text_body.slice(0, QUOTED))}</p>}
      <Compose
        as={as}
        to={toOf(wire, as)}
        replyTo={id}
        rule={reply_rule}
        onSent={() => {
          // The human may have begun a reply to another wire meanwhile.
          if (query.value.get("reply") === chosen) {
            form.current?.removeAttribute("open");
            setQuery("reply", "");
          }
          onSent();
        }}
      />
    </details>
  );
}
