/** The board of a space whose wires are jobs: which are open, who works on which, and which are done. */
import type { Wire as WireData } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { More, Show, useList } from "../../parts/load.js";
import { ClaimActions } from "../../parts/wire/claim-actions.js";
import { Wire } from "../../parts/wire.js";
import { type InSpace, SpaceFrame } from "./frame.js";

const STATES = { open: "Open", claimed: "Claimed", done: "Done" } as const;

export default function Jobs({ params }: { params: Params }) {
  return (
    <SpaceFrame slug={params.slug!} tab="jobs">
      {(inSpace) => <Board {...inSpace} />}
    </SpaceFrame>
  );
}

function Board(inSpace: InSpace) {
  const { as, space } = inSpace;
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
          <h2>{title}</h2>
          <Show of={lists[state as keyof typeof STATES]}>
            {(listed) => (
              <>
                {listed.items.length === 0 && <p class="quiet">None</p>}
                {listed.items.length > 0 && (
                  <ul class="list">
                    {listed.items.map((wire) => (
                      <Job key={wire.id} {...inSpace} wire={wire} onChange={reload} />
                    ))}
                  </ul>
                )}
                <More of={listed} />
              </>
            )}
          </Show>
        </section>
      ))}
    </div>
  );
}

function Job({ wire, onChange, as, space, role }: InSpace & { wire: WireData; onChange: () => unknown }) {
  return (
    <li>
      <Wire wire={wire} as={as} known={`#${space.slug}`}>
        <ClaimActions wire={wire} as={as} role={role} onChange={onChange} />
      </Wire>
    </li>
  );
}
