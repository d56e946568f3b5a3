/** The frame around every view: the navigation and the human's menu. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.js";
import { Select } from "../parts/field.js";
import { ScrolledNav } from "../parts/scrolled-nav.js";
import { badges } from "./badges.js";
import { BASE, path } from "./router.js";
import { signOut } from "./session.js";
import { THEMES, theme } from "./theme.js";

/** The sections of the navigation, in order. */
const SECTIONS = {
  approvals: "Approvals",
  handles: "Handles",
  read: "Read",
  spaces: "Spaces",
  people: "Contacts",
  audit: "Audit log",
  account: "Account",
};

export function Layout({ children }: { children: ComponentChildren }) {
  // The form for a new handle is at `/new-handle`, because `/handles/new` would be the page of a handle named
  // `new`.
  const section = path.value.split("/")[1]?.replace(/^new-(.*)/, "$1s");
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={`${BASE}/`}>
          Wireroom
        </a>
        <ScrolledNav label="Sections" current={section}>
          {Object.entries(SECTIONS).map(([name, title]) => (
            <a key={name} href={`${BASE}/${name}`} aria-current={section === name ? "page" : undefined}>
              {title}
              {(badges.value[name] ?? 0) > 0 && <span class="badge">{badges.value[name]}</span>}
            </a>
          ))}
        </ScrolledNav>
        <div class="self">
          <label>
            <span class="hidden">Theme</span>
            <Select
              value={theme.value}
              options={THEMES}
              onChange={(name) => {
                theme.value = name;
              }}
            />
          </label>
          <Button kind="link" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Sets the document's title, preceded by the number of waiting approvals. */
export function useTitle(title: string): void {
  const waiting = badges.value.approvals ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} – Wireroom`;
  }, [title, waiting]);
}
