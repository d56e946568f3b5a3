/** The frame that all views of a handle's wires share. */
import type { ComponentChildren } from "preact";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { ScrolledNav } from "../../parts/scrolled-nav.js";

const TABS = { inbox: "Inbox", sent: "Sent", search: "Search" };

export interface FrameProps {
  slug: string;
  /** The view's title. */
  title: string;
  tab?: keyof typeof TABS;
  children: ComponentChildren;
}

export function ReadFrame({ slug, title, tab, children }: FrameProps) {
  useTitle(`${title} – @${slug}`);
  return (
    <>
      <p>
        <a href={`${BASE}/read`}>Read</a>
      </p>
      <h1>
        {title} <bdi class="quiet">@{slug}</bdi>
      </h1>
      <ScrolledNav class="tabs" label={`Wires of @${slug}`} current={tab}>
        {Object.entries(TABS).map(([each, name]) => (
          <a
            key={each}
            href={urlOf("read", slug, ...(each === "inbox" ? [] : [each]))}
            aria-current={each === tab ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </ScrolledNav>
      {children}
    </>
  );
}
