import { useId } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { BASE, type Params, query, setQuery } from "../../app/router.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Empty } from "../../parts/empty.js";
import { Show, useList, useLoad } from "../../parts/load.js";
import { WireList } from "../../parts/wire/wire-list.js";
import { texts } from "../../texts/index.js";
import { FoundInAll } from "./found-in-all.js";
import { ReadFrame } from "./frame.js";

/** The service searches one space at a time, so the page asks for each space of the handle. */
export default function Search({ params }: { params: Params }) {
  const as = params.slug!;
  const id = useId();
  const words = query.value.get("q") ?? "";
  const asked = query.value.get("space") ?? "";
  const spaces = useLoad(as, async (signal) => {
    const slugs: string[] = [];
    for await (const { slug } of agent(as).spaces.list({ limit: 100 }, { signal })) slugs.push(slug);
    return slugs;
  });
  return (
    <ReadFrame slug={as} tab="search" title={texts.read.tabs.search}>
      <Show of={spaces}>
        {(own) => {
          // A link may lead to a public space of which the handle is no member.
          const slugs = asked === "" || own.includes(asked) ? own : [asked, ...own];
          if (slugs.length === 0)
            return (
              <Empty title={texts.read.noSpace}>
                <p>{texts.read.noSpaceText}</p>
                <p>
                  <a class="button" href={`${BASE}/spaces?as=${as}`}>
                    {texts.spaces.title}
                  </a>
                </p>
              </Empty>
            );
          const space = asked || (slugs.length === 1 ? slugs[0]! : "");
          return (
            <>
              <p class="row">
                <label for={id}>{texts.read.space}</label>
                <select
                  id={id}
                  value={space}
                  onChange={({ currentTarget: { value } }) => setQuery("space", value)}
                >
                  {slugs.length > 1 && <option value="">{texts.read.allSpaces(`@${as}`)}</option>}
                  {slugs.map((slug) => (
                    <option key={slug} value={slug}>
                      #{slug}
                    </option>
                  ))}
                </select>
              </p>
              <SearchForm label={texts.read.words} />
              {words === "" ? (
                <p class="hint">{texts.read.searchHint}</p>
              ) : space === "" ? (
                <FoundInAll key={words} as={as} spaces={own} words={words} />
              ) : (
                <Found as={as} space={space} words={words} />
              )}
            </>
          );
        }}
      </Show>
    </ReadFrame>
  );
}

function Found({ as, space, words }: { as: string; space: string; words: string }) {
  const found = useList(JSON.stringify([as, space, words]), (signal) =>
    agent(as).spaces.search({ slug: space, q: words, limit: 100 }, { signal }),
  );
  return (
    <Show of={found}>
      {(listed) =>
        listed.items.length === 0 ? (
          <p>{texts.read.notFound(words, `#${space}`)}</p>
        ) : (
          <WireList of={listed} as={as} />
        )
      }
    </Show>
  );
}
