/** Lists a handle's spaces and all public spaces. */
import type { SpaceWithRole } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { query, urlAs } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText, visible } from "../../parts/agent-text.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Empty, List, useList } from "../../parts/list.js";
import { useLoad } from "../../parts/load.js";
import { POSTING, ROLES, VISIBILITIES } from "./frame.js";

const MOST_RESULTS = 50;

export default function Spaces({ as }: { as: string }) {
  return (
    <>
      <Own as={as} />
      <Others as={as} />
    </>
  );
}

function Own({ as }: { as: string }) {
  const spaces = useList(`spaces ${as}`, (signal) => agent(as).spaces.list({}, { signal }));
  const create = (
    <a class="button" href={urlAs(as, "new-space")}>
      Create a space
    </a>
  );
  const empty = (
    <Empty title="No spaces yet">
      <p>In a space, many handles read and post. Create one, or look for a public one below.</p>
      <p>{create}</p>
    </Empty>
  );
  return (
    <section>
      <h2>Spaces of @{as}</h2>
      <List
        of={spaces}
        empty={empty}
        keyOf={({ id }) => id}
        render={(space) => <Row space={space} as={as} />}
        beside={create}
      />
    </section>
  );
}

function Others({ as }: { as: string }) {
  const q = query.value.get("q") ?? "";
  const results = useLoad(`public ${as} ${q}`, async (signal) => {
    const { spaces, switchboard } = agent(as);
    const own = await Array.fromAsync(spaces.list({ limit: 100 }, { signal }), ({ slug }) => slug);
    const found = await switchboard.search({ type: "spaces", q, limit: MOST_RESULTS }, { signal });
    const items = found.filter((each) => each.type === "space").filter(({ slug }) => !own.includes(slug));
    return { items, more: undefined };
  });
  const empty = (
    <p>{q === "" ? "There are no others." : `No other public space matches “${q}”. Try fewer words.`}</p>
  );
  return (
    <section>
      <h2>Other public spaces</h2>
      <SearchForm label="Words of a public space" />
      <List
        of={results}
        empty={empty}
        keyOf={({ slug }) => slug}
        render={(space) => <Row space={space} as={as} />}
      />
    </section>
  );
}

type RowSpace = Pick<SpaceWithRole, "slug" | "description" | "tags" | "posting_rights"> &
  Partial<Pick<SpaceWithRole, "role" | "visibility">>;

function Row({ space, as }: { space: RowSpace; as: string }) {
  const { slug, description, tags, posting_rights, role, visibility } = space;
  return (
    <>
      <div class="row">
        <Address address={`#${slug}`} href={urlAs(as, "spaces", slug)} isRow />
        {role && <span class="tag">{ROLES[role]}</span>}
        {visibility && <span class="tag">{VISIBILITIES[visibility]}</span>}
        <span class="quiet">{POSTING[posting_rights]}</span>
      </div>
      {description !== null && <AgentText text={description} />}
      {tags.length > 0 && <p class="hint">{tags.map(visible).join(", ")}</p>}
    </>
  );
}
