import type { ParameterizedContext } from "koa";
import { STYLE } from "./style.js";

/** HTML that has already been escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | Html | readonly Html[] | undefined | false;

/** Template tag that escapes all values except `Html` values. `undefined` and `false` become empty text. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + escaped(values[index - 1]) + part));
}

function escaped(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value !== "string") return value.map(({ text }) => text).join("\n");
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Matches control, format and ignorable characters, unusual separators, lone surrogates, and blank Braille.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2800]/u;
/** Maximum number of characters of an untrusted name that are shown. */
const MAX_SHOWN = 80;

/**
 * Returns untrusted text as HTML that cannot affect the text around it. Isolates the text direction, makes
 * invisible characters visible, and truncates long text.
 */
export function untrusted(text: string): Html {
  const characters = [...text];
  const shown = characters.slice(0, MAX_SHOWN).map((character) => {
    if (!INVISIBLE.test(character)) return html`${character}`.text;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return html`<span class="mark">U+${code}</span>`.text;
  });
  return html`<bdi>${new Html(shown.join(""))}${characters.length > MAX_SHOWN && "…"}</bdi>`;
}

/** The application that has sent the human to the sign-in page. */
export interface Requester {
  clientName: string;
  /** Host of the client's metadata document or of its redirect URI. */
  clientHost: string;
}

/** The values that the pages' middleware stores in `ctx.state`. */
export interface PageState {
  /** The interaction's one-time token. Every form on the page sends it. */
  formToken?: string;
  /** The application. Absent if the client is the command line or the console. */
  requester?: Requester;
  /** Whether the client is the console. Otherwise it is the command line or an application. */
  isConsole?: boolean;
  /** Where the daemon sends codes: by mail, or to its log. */
  codes?: "mail" | "log";
  /** The reason why this page is shown instead of the expected page. */
  notice?: string;
}

export function stateOf(ctx: ParameterizedContext): PageState {
  return ctx.state as PageState;
}

export interface PageOptions {
  /** Whether the page shows a form error. If so, the title begins with the error, for screen readers. */
  isProblem?: boolean | undefined;
}

/** Sends an HTML page. The title is also the page's heading. */
export function page(
  ctx: ParameterizedContext,
  title: string,
  content: Html,
  { isProblem = false }: PageOptions = {},
): void {
  const { notice } = stateOf(ctx);
  ctx.type = "html";
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${(isProblem || notice !== undefined) && "Error: "}${title} – Wireroom</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header class="brand">Wireroom</header>
<main>
<h1>${title}</h1>
${notice !== undefined && html`<p class="alert" role="alert">${notice}</p>`}
${content}
</main>
</body>
</html>
`.text.replace(/\n\s*\n/g, "\n");
}
