/** The page that searches one or all spaces of a handle. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useCallback, useId } from "preact/hooks";
import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { query, setQuery, urlAs } from "../../app/router.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Empty } from "../../parts/empty.js";
import { Select } from "../../parts/field.js";
import { List } from "../../parts/list.js";
import { Show, useList, useLoad } from "../../parts/load.js";
import { Wire } from "../../parts/wire.js";
import { FoundInAll } from "./found-in-all.js";

export default function Search() {
  return <HandlePage title="Search">{(as) => <InSpaces as={as} />}</HandlePage>;
}

/** Sends one request per space, because the service searches one space at a time. */
function InSpaces({ as }: { as: string }) {
  const id = useId();
  const words = query.value.get("q") ?? "";
  const asked = query.value.get("space") ?? "";
  const spaces = useLoad(`space slugs ${as}`, async (signal) => {
    const slugs: string[] = [];
    for await (const { slug } of agent(as).spaces.list({ limit: 100 }, { signal })) slugs.push(slug);
    return slugs;
  });
  return (
    <Show of={spaces}>
      {(own) => {
        // The URL may name a public space that the handle has not joined.
        const slugs = asked === "" || own.includes(asked) ? own : [asked, ...own];
        if (slugs.length === 0)
          return (
            <Empty title="This handle is in no space">
              <p>A search looks through the wires of spaces. Join or create one first.</p>
              <p>
                <a class="button" href={urlAs(as, "spaces")}>
                  Spaces
                </a>
              </p>
            </Empty>
          );
        const space = asked || (slugs.length === 1 ? slugs[0]! : "");
        return (
          <>
            <p class="row">
              <label for={id}>Space</label>
              <Select
                id={id}
                value={space}
                options={[
                  ...(slugs.length > 1 ? [["", `All spaces of @${as}`] as const] : []),
                  ...slugs.map((slug) => [slug, `#${slug}`] as const),
                ]}
                onChange={(slug) => setQuery("space", slug)}
              />
            </p>
            <SearchForm label="Words to search for" />
            {words === "" ? (
              <p class="hint">
                All words must occur. Use quotes for a phrase, or for either, and - to exclude a word.
              </p>
            ) : space === "" ? (
              <FoundInAll key={words} as={as} spaces={own} words={words} />
            ) : (
              <Found as={as} space={space} words={words} />
            )}
          </>
        );
      }}
    </Show>
  );
}

function Found({ as, space, words }: { as: string; space: string; words: string }) {
  const found = useList(`search ${as} ${space} ${words}`, (signal) =>
    agent(as).spaces.search({ slug: space, q: words, limit: 100 }, { signal }),
  );
  const render = useCallback((wire: WireData) => <Wire wire={wire} as={as} />, [as]);
  const empty = (
    <p>
      Nothing in #{space} matches “{words}”. Try fewer words. DMs are not searched.
    </p>
  );
  return <List of={found} empty={empty} keyOf={({ id }) => id} render={render} />;
}
