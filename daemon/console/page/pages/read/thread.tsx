import type { Wire as WireData } from "@wireroom/sdk";
import { useEffect, useRef } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { type Params, query, setQuery } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Compose } from "../../parts/editor/compose.js";
import { type Listed, Show, useList } from "../../parts/load.js";
import { WireList } from "../../parts/wire/wire-list.js";
import { texts } from "../../texts/index.js";
import { ReadFrame } from "./frame.js";

export default function Thread({ params }: { params: Params }) {
  const { slug: as, id } = params as { slug: string; id: string };
  const thread = useList(`${as} ${id}`, (signal) =>
    dashboard.handles.thread({ slug: as, id, limit: 100 }, { signal }),
  );
  return (
    <ReadFrame slug={as} title={texts.wire.thread}>
      <Show of={thread}>
        {(listed) => (
          <>
            <WireList
              of={listed}
              as={as}
              actions={(wire) =>
                wire.tombstone === null && (
                  <Button kind="link" onClick={() => setQuery("reply", wire.id)}>
                    {texts.read.reply}
                  </Button>
                )
              }
            />
            <Reply of={listed} as={as} onSent={thread.reload} />
          </>
        )}
      </Show>
    </ReadFrame>
  );
}

/** Replies to the wire of the address, or to the last one, preferably of another handle. */
function Reply({ of: { items }, as, onSent }: { of: Listed<WireData>; as: string; onSent: () => void }) {
  const chosen = query.value.get("reply");
  const form = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (chosen !== null) form.current?.querySelector("textarea")?.focus();
  }, [chosen]);
  const left = items.filter(({ tombstone }) => !tombstone);
  const wire =
    left.find(({ id }) => id === chosen) ?? left.findLast(({ sender }) => sender !== as) ?? left.at(-1);
  if (!wire) return null;
  const { id, sender, recipient, space, reply_rule } = wire;
  const to = space === null ? `@${sender === as ? recipient : sender}` : `#${space}`;
  return (
    <details class="sheet" ref={form} open={chosen !== null}>
      <summary>{texts.read.replyTo(`@${sender}`)}</summary>
      <Compose
        as={as}
        to={to}
        replyTo={id}
        rule={reply_rule}
        onSent={() => {
          setQuery("reply", "");
          onSent();
        }}
      />
    </details>
  );
}
