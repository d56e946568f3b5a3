import { createHash } from "node:crypto";
import type { ParameterizedContext } from "koa";

/** HTML that has already been escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Template tag that escapes its values, except `Html` values. `undefined` and `false` become empty text. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | undefined | false)[]): Html {
  return new Html(parts.reduce((text, part, index) => text + escaped(values[index - 1]) + part));
}

function escaped(value: string | Html | undefined | false): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
form { display: grid; gap: .75rem; margin: 0 0 .75rem; }
label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .55rem .7rem; border: 1px solid GrayText; border-radius: .4rem; }
button { cursor: pointer; }
button.main { background: #1f4fd8; border-color: #1f4fd8; color: #fff; }
code { font-size: 1.5rem; letter-spacing: .1em; }
[role=alert] { border-left: .25rem solid #c62828; padding-left: .75rem; }
`;

/**
 * Forbids scripts and all external content. oidc-provider adds a script hash to the empty `script-src` on pages that submit a
 * form automatically. Chrome also applies `form-action` to redirects after a form. The loopback addresses of native
 * applications are therefore allowed (RFC 8252, section 7.3).
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self' http://127.0.0.1:* http://localhost:*",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** Sends an HTML page. The title is also the heading of the page. */
export function page(ctx: ParameterizedContext, title: string, content: Html): void {
  ctx.type = "html";
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Wireroom</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
