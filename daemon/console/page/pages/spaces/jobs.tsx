/** The board of a space whose wires are jobs: which are open, who works on which, and which are done. */
import { agent } from "../../app/clients.js";
import { List, useList } from "../../parts/list.js";
import type { Listed } from "../../parts/use-live.js";
import { ClaimActions } from "../../parts/wire/claim-actions.js";
import { Wire } from "../../parts/wire.js";
import type { InSpace } from "./frame.js";

const STATES = { open: "Open", claimed: "Claimed", done: "Done" } as const;

/** Returns a count such as `12`, or `50+` if there are more. */
function countOf(list: Listed<unknown> | undefined): string {
  return list ? `${list.items.length}${list.more ? "+" : ""}` : "";
}

export default function Jobs({ as, space, role }: InSpace) {
  const listOf = (claim_state: keyof typeof STATES) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: called for the same three states each time
    useList(`jobs ${as} ${space.slug} ${claim_state}`, (signal) =>
      agent(as).spaces.feed({ slug: space.slug, claim_state, roots_only: true, limit: 50 }, { signal }),
    );
  const lists = { open: listOf("open"), claimed: listOf("claimed"), done: listOf("done") };
  const reload = () => Promise.all(Object.values(lists).map((list) => list.reload()));
  return (
    <div class="board">
      {Object.entries(STATES).map(([state, title]) => (
        <section key={state} aria-label={title}>
          <h2>
            {title} {countOf(lists[state as keyof typeof STATES].data)}
          </h2>
          <List
            of={lists[state as keyof typeof STATES]}
            empty={<p class="quiet">None</p>}
            keyOf={({ id }) => id}
            render={(wire) => (
              <Wire wire={wire} as={as} known={`#${space.slug}`}>
                <ClaimActions wire={wire} as={as} role={role} onChange={reload} />
              </Wire>
            )}
          />
        </section>
      ))}
    </div>
  );
}
