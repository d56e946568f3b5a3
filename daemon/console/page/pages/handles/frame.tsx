/** The frame that all views of a handle share: the handle's name and the tabs. */
import type { Handle } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { reloadHandles } from "../../app/acting.js";
import { Suspended, WithHandles } from "../../app/as-handle.js";
import { useTitle } from "../../app/layout.js";
import { urlOf } from "../../app/router.js";
import { HANDLE_TABS } from "../../app/sections.js";
import { Empty } from "../../parts/list.js";
import { Tabs } from "../../parts/tabs.js";

interface FrameProps {
  slug: string;
  tab: keyof typeof HANDLE_TABS;
  children: (handle: Handle) => ComponentChildren;
}

export function HandleFrame({ slug, tab, children }: FrameProps) {
  useTitle(`@${slug}`);
  // Read the handles again, because the agent may have changed its profile.
  useEffect(() => void reloadHandles(), []);
  return (
    <>
      <h1>
        <bdi>@{slug}</bdi>
      </h1>
      <Tabs
        label={`Settings of @${slug}`}
        tabs={HANDLE_TABS}
        current={tab}
        hrefOf={(name) => urlOf("handles", slug, ...(name === "profile" ? [] : [name]))}
      />
      <WithHandles>
        {(handles) => {
          const handle = handles.find((each) => each.slug === slug);
          if (!handle) return <Empty title={`You have no handle @${slug}`} />;
          return (
            <>
              {handle.suspended && <Suspended />}
              {children(handle)}
            </>
          );
        }}
      </WithHandles>
    </>
  );
}
