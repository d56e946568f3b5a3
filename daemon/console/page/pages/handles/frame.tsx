/** What the views of one handle share: its name and its tabs. */
import type { Handle } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { Empty } from "../../parts/empty.js";
import { Show, useLoad } from "../../parts/load.js";
import { ScrolledNav } from "../../parts/scrolled-nav.js";
import { texts } from "../../texts/index.js";

const TABS = ["profile", "rule", "keys", "connections", "egress", "hosts"] as const;

export interface FrameProps {
  slug: string;
  tab: (typeof TABS)[number];
  /** @param reload reads the handle again, after a change */
  children: (handle: Handle, reload: () => void) => ComponentChildren;
}

export function HandleFrame({ slug, tab, children }: FrameProps) {
  useTitle(`@${slug}`);
  const loaded = useLoad(slug, (signal) => find(slug, signal));
  return (
    <>
      <p>
        <a href={`${BASE}/handles`}>{texts.sections.handles}</a>
      </p>
      <h1>
        <bdi>@{slug}</bdi>
      </h1>
      <ScrolledNav class="tabs" label={texts.handles.tabsOf(`@${slug}`)} current={tab}>
        {TABS.map((each) => (
          <a
            key={each}
            href={each === "profile" ? urlOf("handles", slug) : urlOf("handles", slug, each)}
            aria-current={each === tab ? "page" : undefined}
          >
            {texts.handles.tabs[each]}
          </a>
        ))}
      </ScrolledNav>
      <Show of={loaded}>
        {(handle) =>
          handle ? children(handle, loaded.reload) : <Empty title={texts.handles.notYours(slug)} />
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
