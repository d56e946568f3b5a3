/** Lists a handle's spaces and all public spaces. */
import type { SpaceWithRole } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { query, urlAs } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText, visible } from "../../parts/agent-text.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Empty, List, useList } from "../../parts/list.js";
import { type Loaded, useLoad } from "../../parts/load.js";
import type { Listed } from "../../parts/use-live.js";
import { POSTING, ROLES, VISIBILITIES } from "./frame.js";

const MOST_RESULTS = 50;

export default function Spaces({ as }: { as: string }) {
  const own = useList(`spaces ${as}`, (signal) => agent(as).spaces.list({}, { signal }));
  return (
    <>
      <Own spaces={own} as={as} />
      <Others own={own.data?.items ?? []} as={as} />
    </>
  );
}

function Own({ spaces, as }: { spaces: Loaded<Listed<SpaceWithRole>>; as: string }) {
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

function Others({ own, as }: { own: readonly SpaceWithRole[]; as: string }) {
  const q = query.value.get("q") ?? "";
  const { data, ...results } = useLoad(`public ${as} ${q}`, async (signal) => {
    const items = await agent(as).switchboard.search({ type: "spaces", q, limit: MOST_RESULTS }, { signal });
    return items.filter((each) => each.type === "space");
  });
  const items = data?.filter(({ slug }) => own.every((each) => each.slug !== slug));
  const empty = (
    <p>{q === "" ? "There are no others." : `No other public space matches “${q}”. Try fewer words.`}</p>
  );
  return (
    <section>
      <h2>Other public spaces</h2>
      <SearchForm label="Words of a public space" />
      <List
        of={{ ...results, data: items && { items, more: undefined } }}
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
