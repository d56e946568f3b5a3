import { createHash } from "node:crypto";

/**
 * The style of all pages. `test/daemon/pages-look.test.ts` checks its contrast (WCAG 2.2, level AA) and its
 * layout at 320 pixels. Sizes are in rem, so that the pages follow the browser's text size.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --quiet: #545b66; --back: #f3f4f6; --sheet: #fff; --line: #7d8590; --rule: #d8dce1;
  --main: #1d4fd7; --on-main: #fff; --link: #1a48c4; --bad: #a8201a; --bad-back: #fdeeed; --good-back: #e9f5ec;
  font: 1rem/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e7eaee; --quiet: #a9b1bc; --back: #0f1216; --sheet: #191d23; --line: #858d99; --rule: #343a43;
    --main: #8db0ff; --on-main: #0a1a3f; --link: #9dbbff; --bad: #ffb0a8; --bad-back: #3a1715; --good-back: #14301d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
main, .brand { width: 100%; max-width: 32rem; margin: 0 auto; }
main { padding: 1.25rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: .75rem; }
.brand { margin-bottom: .75rem; font-weight: 600; color: var(--quiet); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .25rem; font-size: 1rem; }
p, ul { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
main > :last-child, section > :last-child { margin-bottom: 0; }
a { color: var(--link); }
form, fieldset { margin: 0 0 1rem; }
fieldset { min-width: 0; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .5rem; font-weight: 600; }
.field { margin-bottom: 1rem; }
.field label { display: block; font-weight: 600; }
.hint { margin: 0; color: var(--quiet); font-size: .9rem; }
.problem { margin: 0; color: var(--bad); font-size: .9rem; font-weight: 600; }
input:not([type=radio], [type=checkbox]), button {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--sheet); color: var(--text); font: inherit;
}
.field input { margin-top: .25rem; }
input[readonly] { background: var(--back); }
input[aria-invalid=true] { border: 2px solid var(--bad); }
button { cursor: pointer; font-weight: 600; }
button + button { margin-top: .5rem; }
button.main { border-color: var(--main); background: var(--main); color: var(--on-main); }
button.link {
  display: inline; width: auto; min-height: 1.5rem; padding: 0; border: 0; background: none; color: var(--link);
  font-weight: 400; text-decoration: underline;
}
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.choice { display: flex; gap: .75rem; align-items: center; padding: .625rem 0; border-top: 1px solid var(--rule); }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--main); }
.choice span { flex: 1; min-width: 0; }
.choice :disabled + span { color: var(--quiet); }
.choice small { display: block; color: var(--quiet); font-size: .9rem; }
.choices { margin-bottom: .5rem; border-bottom: 1px solid var(--rule); }
.choices.long { max-height: 11.75rem; overflow-y: auto; padding: 0 .5rem; }
.choices:not(:has([value=""]:checked)) + .new-handle { display: none; }
.bar { display: flex; gap: .5rem; }
.bar button { margin: 0; }
.alert, .done { padding: .75rem; border-radius: .5rem; }
.alert { border: 1px solid var(--bad); background: var(--bad-back); }
.done { border: 1px solid var(--rule); background: var(--good-back); }
bdi { overflow: clip; }
.name { font-size: 1.125rem; font-weight: 600; }
code { font-family: ui-monospace, monospace; }
.code { font: 600 1.75rem/1.5 ui-monospace, monospace; letter-spacing: .1em; text-align: center; }
.mark { border: 1px dashed var(--bad); border-radius: .25rem; padding: 0 .2em; color: var(--bad); font: .8em ui-monospace, monospace; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Loopback addresses of native applications, with any port (RFC 8252, section 7.3). */
const LOOPBACK = ["http://127.0.0.1:*", "http://localhost:*"];

/**
 * Returns a page's Content-Security-Policy: no scripts, frames or external content. oidc-provider adds a
 * script hash to the empty `script-src` of pages that submit a form automatically.
 * @param formTargets allowed form targets besides this origin. They must include the client's redirect URI,
 * because Chrome also applies `form-action` to redirects after a form submission.
 */
export function contentSecurityPolicy(formTargets: readonly string[] = LOOPBACK): string {
  return [
    "default-src 'none'",
    "script-src",
    `style-src 'sha256-${STYLE_HASH}'`,
    ["form-action 'self'", ...formTargets].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
