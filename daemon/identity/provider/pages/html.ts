import type { ParameterizedContext } from "koa";
import { STYLE } from "./style.js";

/** HTML that has already been escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | Html | readonly Html[] | undefined | false;

/** Template tag that escapes all values except `Html`. `undefined` and `false` become empty text. */
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
const MAX_SHOWN = 80;

/** Returns untrusted text as HTML. Isolates its direction, shows invisible characters and truncates it. */
export function untrusted(text: string): Html {
  const characters = [...text];
  const shown = characters.slice(0, MAX_SHOWN).map((character) => {
    if (!INVISIBLE.test(character)) return html`${character}`.text;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return html`<span class="mark">U+${code}</span>`.text;
  });
  return html`<bdi>${new Html(shown.join(""))}${characters.length > MAX_SHOWN && "…"}</bdi>`;
}

export interface Requester {
  clientName: string;
  /** Host of the client's metadata document or of its redirect URI. */
  clientHost: string;
}

export interface PageState {
  /** The interaction's one-time token, which every form sends. */
  formToken?: string;
  /** Absent for the command line and the console. */
  requester?: Requester;
  isConsole?: boolean;
  codes?: "mail" | "log";
  /** Whether accounts without a password exist, which `wireroom init` creates. */
  hasLocalSignIn?: boolean;
  /** Why this page is shown instead of the expected one. */
  notice?: string;
}

export function stateOf(ctx: ParameterizedContext): PageState {
  return ctx.state as PageState;
}

export interface PageOptions {
  /** If true, the title begins with "Error", for screen readers. */
  isProblem?: boolean | undefined;
}

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
