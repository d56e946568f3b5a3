/** The frame around every view: navigation, and the human's own menu. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.js";
import { ScrolledNav } from "../parts/scrolled-nav.js";
import { texts } from "../texts/index.js";
import { badges, SECTIONS } from "./badges.js";
import { BASE, path } from "./router.js";
import { signOut } from "./session.js";
import { THEMES, theme } from "./theme.js";

export function Layout({ children }: { children: ComponentChildren }) {
  // The form of a new handle is at /new-handle, as every name can be that of a handle.
  const section = path.value.split("/")[1]?.replace(/^new-(.*)/, "$1s");
  return (
    <>
      <a class="skip" href="#main">
        {texts.skipToContent}
      </a>
      <header class="top">
        <a class="brand" href={`${BASE}/`}>
          Wireroom
        </a>
        <ScrolledNav label={texts.navigation} current={section}>
          {SECTIONS.map((name) => (
            <a key={name} href={`${BASE}/${name}`} aria-current={section === name ? "page" : undefined}>
              {texts.sections[name]}
              {(badges.value[name] ?? 0) > 0 && <span class="badge">{badges.value[name]}</span>}
            </a>
          ))}
        </ScrolledNav>
        <div class="self">
          <label>
            <span class="hidden">{texts.theme.label}</span>
            <select
              value={theme.value}
              onChange={(event) => {
                theme.value = event.currentTarget.value as (typeof THEMES)[number];
              }}
            >
              {THEMES.map((name) => (
                <option key={name} value={name}>
                  {texts.theme[name]}
                </option>
              ))}
            </select>
          </label>
          <Button kind="link" onClick={signOut}>
            {texts.signOut}
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Sets the title of the document, with the number of waiting approvals in front. Every view calls it. */
export function useTitle(title: string): void {
  const waiting = badges.value.approvals ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} – Wireroom`;
  }, [title, waiting]);
}
