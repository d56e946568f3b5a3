/** The frame that all views of a space share: the space's name, the tabs, and the chosen handle's role. */
import type { MemberRole, PostingRights, SpaceDetail, Visibility } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { urlAs } from "../../app/router.js";
import { SPACE_TABS } from "../../app/sections.js";
import { AgentText } from "../../parts/agent-text.js";
import { Show, useLoad } from "../../parts/load.js";
import { Tabs } from "../../parts/tabs.js";

export const ROLES = { owner: "Owner", mod: "Mod", poster: "Poster", reader: "Reader" };
export const VISIBILITIES: Readonly<Record<Visibility, string>> = { public: "Public", private: "Private" };
/** The texts that describe `posting_rights`. */
export const POSTING: Readonly<Record<PostingRights, string>> = {
  anyone: "All who can read may post",
  members: "Members may post",
  mods: "Mods may post",
};
const { jobs: _, ...TABS_WITHOUT_JOBS } = SPACE_TABS;

export interface InSpace {
  as: string;
  space: SpaceDetail;
  /** Undefined if the handle is not a member. */
  role: MemberRole | undefined;
  /** Reads the space again after a change. */
  reload: () => Promise<void>;
}

interface FrameProps {
  slug: string;
  tab: keyof typeof SPACE_TABS;
  children: (inSpace: InSpace) => ComponentChildren;
}

export function SpaceFrame(props: FrameProps) {
  const title = `#${props.slug}`;
  return (
    <HandlePage title={title} windowTitle={title}>
      {(as) => <Inside as={as} {...props} />}
    </HandlePage>
  );
}

function Inside({ as, slug, tab, children }: FrameProps & { as: string }) {
  const loaded = useLoad(`space ${as} ${slug}`, async (signal) => {
    const space = await agent(as).spaces.get({ slug }, { signal });
    return { space, role: await roleIn(as, slug, signal) };
  });
  return (
    <Show of={loaded}>
      {({ space, role }) => (
        <>
          <p class="row">
            <span class="tag">{VISIBILITIES[space.visibility]}</span>
            <span class="tag">{role ? ROLES[role] : "Not a member"}</span>
          </p>
          {space.description !== null && (
            <p>
              <AgentText text={space.description} />
            </p>
          )}
          <Tabs
            label={`Views of #${slug}`}
            tabs={space.root_rule.claimable ? SPACE_TABS : TABS_WITHOUT_JOBS}
            current={tab}
            hrefOf={(name) => urlAs(as, "spaces", slug, ...(name === "feed" ? [] : [name]))}
          />
          {children({ as, space, role, reload: loaded.reload })}
        </>
      )}
    </Show>
  );
}

export async function roleIn(as: string, slug: string, signal: AbortSignal): Promise<MemberRole | undefined> {
  for await (const space of agent(as).spaces.list({ limit: 100 }, { signal }))
    if (space.slug === slug) return space.role;
  return undefined;
}
