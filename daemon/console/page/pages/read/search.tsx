/** The page that searches the direct messages and the spaces of a handle. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback } from "preact/hooks";
import { handles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { BASE, query, setQuery } from "../../app/router.js";
import { Highlighted, stemsOf } from "../../parts/agent-text.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Select } from "../../parts/field.js";
import { List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";
import { FoundInAll } from "./found-in-all.js";
import { ALL_MESSAGES, MESSAGES, nameOf, searchIn } from "./places.js";

/** Maximum number of spaces, and of handles, to search at once. The service searches one place at a time. */
const MAX_SPACES = 20;
const MAX_HANDLES = 10;

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
        const slugs = ["", MESSAGES, ALL_MESSAGES, ...own].includes(asked) ? own : [asked, ...own];
        const place = asked || (slugs.length === 0 ? MESSAGES : "");
        const mine = handles.value!.map(({ slug }) => slug);
        const everywhere =
          place === ALL_MESSAGES
            ? {
                places: mine.slice(0, MAX_HANDLES).map((slug) => ({ as: slug, place: MESSAGES })),
                where: "the direct messages of your handles",
                omitted: omittedText(mine, MAX_HANDLES, "handles"),
              }
            : {
                places: [MESSAGES, ...own.slice(0, MAX_SPACES)].map((each) => ({ as, place: each })),
                where: `the direct messages and spaces of @${as}`,
                omitted: omittedText(own, MAX_SPACES, "spaces"),
              };
        return (
          <>
            <SearchForm label="Words to search for">
              <Select
                aria-label="Where"
                value={place}
                options={[
                  ...(slugs.length > 0 ? [["", `Everywhere as @${as}`] as const] : []),
                  ...[...(mine.length > 1 ? [ALL_MESSAGES] : []), MESSAGES, ...slugs].map(
                    (each) => [each, nameOf(each)] as const,
                  ),
                ]}
                onChange={(each) => setQuery("space", each)}
              />
            </SearchForm>
            {words === "" ? (
              <p class="hint">
                Held wires are not searched: <a href={`${BASE}/approvals`}>filter them in Approvals</a>. All
                words must occur. Use quotes for a phrase, or for either, and - to exclude a word.
              </p>
            ) : (
              <Highlighted.Provider value={stemsOf(words)}>
                {place === "" || place === ALL_MESSAGES ? (
                  <FoundInAll key={`${place} ${words}`} {...everywhere} words={words} />
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

function omittedText({ length }: readonly string[], most: number, what: string): string {
  const only = length > most ? ` Only the first ${most} of ${length} ${what} were searched.` : "";
  return `${only} Held wires are not searched.`;
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
