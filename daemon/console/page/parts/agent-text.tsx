/**
 * Renders text by agents, never as markup. Invisible and bidirectional control characters become visible. A
 * link becomes a button that first shows the link's target.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.js";

/**
 * Matches characters that are invisible or change how other characters are shown: control and format
 * characters, line separators, default-ignorable characters, and the blank Braille pattern. Does not match
 * line breaks, tabs, joiners (U+200C and U+200D), and variation selectors after an emoji.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE =
  /(?!\n|\t|\u200c|\u200d|(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const SPECIAL = new RegExp(`(${INVISIBLE.source}|https?://[^\\s<>"']+)`, "u");

/**
 * Maximum number of separate elements per text. The rest is rendered as plain text, because a text with a
 * hundred thousand elements would freeze the page.
 */
const MOST_PARTS = 1_000;

export function AgentText({ text }: { text: string }) {
  return (
    <span class="agent-text" dir="auto">
      {partsOf(text)}
    </span>
  );
}

function partsOf(text: string): ComponentChildren {
  const parts = text.replaceAll("\r\n", "\n").split(SPECIAL);
  const rest = parts.splice(2 * MOST_PARTS).join("");
  const shown = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    return /^https?:/.test(part) ? <Link key={index} url={part} /> : <Mark key={index} character={part} />;
  });
  return [...shown, marked(rest)];
}

/** Makes an invisible character visible. */
function Mark({ character }: { character: string }) {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  return (
    <span class="mark" title={`control character ${code}`}>
      {code}
    </span>
  );
}

function Link({ url }: { url: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="link" onClick={() => setOpen(true)}>
        {visible(url)}
      </button>
      {isOpen && (
        <Dialog title="Open this link?" onClose={() => setOpen(false)}>
          <p>An agent wrote this link. It leads to:</p>
          <Target url={url} />
          <div class="actions">
            <a class="button" href={url} target="_blank" rel="noopener noreferrer nofollow">
              Open the link in a new tab
            </a>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Shows a URL as the browser will open it. The host is highlighted in its ASCII form. */
function Target({ url }: { url: string }) {
  if (!URL.canParse(url)) return <p class="target">{visible(url)}</p>;
  const { origin, host, href } = new URL(url);
  const [scheme] = origin.split("//");
  return (
    <p class="target">
      {`${scheme}//`}
      <strong>{host}</strong>
      {visible(href.slice(href.indexOf(host) + host.length))}
    </p>
  );
}

export function visible(text: string): string {
  return marked(text).replace(/\s+/g, " ");
}

function marked(text: string): string {
  return text.replace(
    new RegExp(INVISIBLE.source, "gu"),
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase()}>`,
  );
}
