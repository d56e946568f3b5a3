/** The page that searches the direct messages and the spaces of a handle. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { query, setQuery } from "../../app/router.js";
import { Highlighted, stemsOf } from "../../parts/agent-text.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Select } from "../../parts/field.js";
import { List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";
import { FoundInAll } from "./found-in-all.js";
import { MESSAGES, nameOf, searchIn } from "./places.js";

/** Sends one request per place, because the service searches one space at a time. */
export default function Search({ as }: { as: string }) {
  const words = query.value.get("q") ?? "";
  const asked = query.value.get("space") ?? "";
  const spaces = useLoad(`space slugs ${as}`, (signal) =>
    Array.fromAsync(agent(as).spaces.list({ limit: 100 }, { signal }), ({ slug }) => slug),
  );
  return (
    <Show of={spaces}>
      {(own) => {
        // The URL may name a public space that the handle has not joined.
        const slugs = ["", MESSAGES, ...own].includes(asked) ? own : [asked, ...own];
        const place = asked || (slugs.length === 0 ? MESSAGES : "");
        return (
          <>
            <SearchForm label="Words to search for">
              <Select
                aria-label="Where"
                value={place}
                options={[
                  ...(slugs.length > 0 ? [["", "Everywhere"] as const] : []),
                  ...[MESSAGES, ...slugs].map((each) => [each, nameOf(each)] as const),
                ]}
                onChange={(each) => setQuery("space", each)}
              />
            </SearchForm>
            {words === "" ? (
              <p class="hint">
                All words must occur. Use quotes for a phrase, or for either, and - to exclude a word.
              </p>
            ) : (
              <Highlighted.Provider value={stemsOf(words)}>
                {place === "" ? (
                  <FoundInAll key={words} as={as} spaces={own} words={words} />
                ) : (
                  <Found as={as} place={place} words={words} />
                )}
              </Highlighted.Provider>
            )}
          </>
        );
      }}
    </Show>
  );
}

function Found({ as, place, words }: { as: string; place: string; words: string }) {
  const found = useList(`search ${as} ${place} ${words}`, (signal) =>
    searchIn(as, place, words, 100, signal),
  );
  const render = useCallback(
    (wire: WireData) => <Wire wire={wire} as={as} known={nameOf(place)} />,
    [as, place],
  );
  const empty = (
    <p>
      Nothing in {nameOf(place)} matches “{words}”. Try fewer words.
    </p>
  );
  return <List of={found} empty={empty} keyOf={({ id }) => id} render={render} />;
}
