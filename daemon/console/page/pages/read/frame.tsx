/** What the views of one handle's wires share. */
import type { ComponentChildren } from "preact";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { ScrolledNav } from "../../parts/scrolled-nav.js";
import { texts } from "../../texts/index.js";

/** The tabs, by the end of their path. */
const TABS = { inbox: [], sent: ["sent"], search: ["search"] } as const;

export interface FrameProps {
  slug: string;
  /** The title of the view. */
  title: string;
  tab?: keyof typeof TABS;
  children: ComponentChildren;
}

export function ReadFrame({ slug, title, tab, children }: FrameProps) {
  useTitle(`${title} – @${slug}`);
  return (
    <>
      <p>
        <a href={`${BASE}/read`}>{texts.read.title}</a>
      </p>
      <h1>
        {title} <bdi class="quiet">@{slug}</bdi>
      </h1>
      <ScrolledNav class="tabs" label={texts.read.tabsOf(`@${slug}`)} current={tab}>
        {(Object.keys(TABS) as (keyof typeof TABS)[]).map((each) => (
          <a
            key={each}
            href={urlOf("read", slug, ...TABS[each])}
            aria-current={each === tab ? "page" : undefined}
          >
            {texts.read.tabs[each]}
          </a>
        ))}
      </ScrolledNav>
      {children}
    </>
  );
}
