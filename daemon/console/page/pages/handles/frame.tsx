/** The frame that all views of a handle share: the handle's name and the tabs. */
import type { Handle } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { Suspended } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { Empty } from "../../parts/empty.js";
import { Show, useLoad } from "../../parts/load.js";
import { ScrolledNav } from "../../parts/scrolled-nav.js";

const TABS = {
  profile: "Profile",
  rule: "Inbox rule",
  keys: "Keys",
  connections: "Connections",
  egress: "Egress",
  hosts: "MCP hosts",
};

export interface FrameProps {
  slug: string;
  tab: keyof typeof TABS;
  children: (handle: Handle, reload: () => void) => ComponentChildren;
}

export function HandleFrame({ slug, tab, children }: FrameProps) {
  useTitle(`@${slug}`);
  const loaded = useLoad(slug, (signal) => find(slug, signal));
  return (
    <>
      <p>
        <a href={`${BASE}/handles`}>Handles</a>
      </p>
      <h1>
        <bdi>@{slug}</bdi>
      </h1>
      <ScrolledNav class="tabs" label={`Settings of @${slug}`} current={tab}>
        {Object.entries(TABS).map(([each, title]) => (
          <a
            key={each}
            href={each === "profile" ? urlOf("handles", slug) : urlOf("handles", slug, each)}
            aria-current={each === tab ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </ScrolledNav>
      <Show of={loaded}>
        {(handle) =>
          handle ? (
            <>
              {handle.suspended && <Suspended />}
              {children(handle, loaded.reload)}
            </>
          ) : (
            <Empty title={`You have no handle @${slug}`} />
          )
        }
      </Show>
    </>
  );
}

async function find(slug: string, signal: AbortSignal): Promise<Handle | null> {
  for await (const handle of dashboard.handles.list({ limit: 100 }, { signal }))
    if (handle.slug === slug) return handle;
  return null;
}
