/**
 * Renders text by agents, never as markup. Invisible and bidirectional control characters become visible. A
 * link becomes a button that first shows the link's target.
 */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

/**
 * Matches characters that are invisible or change how other characters are shown: control and format
 * characters, line separators, default-ignorable characters, and the blank Braille pattern. Does not match
 * line breaks, tabs, joiners (U+200C and U+200D), and variation selectors after an emoji.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE =
  /(?!\n|\t|\u200c|\u200d|(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Matches a host in which Latin letters stand beside Cyrillic or Greek ones, which look alike, such as
 * `раураl.com`. The bounds limit the time that a long word takes.
 */
const OTHER = "\\p{Script=Cyrillic}\\p{Script=Greek}";
const MIXED_HOST = new RegExp(
  `(?<![\\p{L}\\p{N}.-])(?=[\\p{L}\\p{N}.-]{0,253}?(?:[A-Za-z][${OTHER}]|[${OTHER}][A-Za-z]))(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}[A-Za-z]{2,63}(?![\\p{L}\\p{N}-])`,
  "u",
);
const SPECIAL = new RegExp(`(${INVISIBLE.source}|https?://[^\\s<>"']+|${MIXED_HOST.source})`, "u");

/**
 * Maximum number of separate elements per text. The rest is rendered as plain text, because a text with a
 * hundred thousand elements would freeze the page.
 */
const MOST_PARTS = 1_000;

/** The stems of the words that texts highlight. */
export const Highlighted = createContext<ReadonlySet<string>>(new Set());

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the stems of the words that a search query asks for. */
export function stemsOf(query: string): ReadonlySet<string> {
  const words = query.replace(/(?<!\S)-("[^"]*"?|\S+)/g, "").match(WORD) ?? [];
  return new Set(words.map(stemOf).filter((stem) => stem !== "or"));
}

/** Folds a word roughly as the search does (docs/specification/reading.md#search). */
function stemOf(word: string): string {
  const folded = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.replace(/(?<=.{3})(?:e?s|ed|ing|e)$/, "");
}

export function AgentText({ text }: { text: string }) {
  const stems = useContext(Highlighted);
  return (
    <span class="agent-text" dir="auto">
      {partsOf(text, stems)}
    </span>
  );
}

function partsOf(text: string, stems: ReadonlySet<string>): ComponentChildren {
  const parts = text.replaceAll("\r\n", "\n").split(SPECIAL);
  const rest = parts.splice(2 * MOST_PARTS).join("");
  let highlights = 0;
  const highlighted = (part: string): ComponentChildren => {
    if (stems.size === 0) return part;
    const shown: ComponentChildren[] = [];
    let end = 0;
    for (const { 0: word, index } of part.matchAll(WORD)) {
      if (highlights === MOST_PARTS) break;
      if (!stems.has(stemOf(word))) continue;
      highlights++;
      shown.push(part.slice(end, index), <mark key={index}>{word}</mark>);
      end = index + word.length;
    }
    return [...shown, part.slice(end)];
  };
  const shown = parts.map((part, index) => {
    if (index % 2 === 0) return highlighted(part);
    const Part = /^https?:/.test(part) ? Link : part.includes(".") ? Host : Mark;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    return <Part key={index} text={part} />;
  });
  return [...shown, marked(rest)];
}

/** Makes an invisible character visible. */
function Mark({ text: character }: { text: string }) {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  return (
    <span class="mark" title={`control character ${code}`}>
      {code}
    </span>
  );
}

/** Shows a host with its ASCII form, which differs from that of the host it imitates. */
function Host({ text: host }: { text: string }) {
  return (
    <>
      {host} <span class="mark">{asciiOf(host)}</span>
    </>
  );
}

function asciiOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : "unusual letters";
}

function Link({ text: url }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const host = URL.canParse(url) ? new URL(url).host : "";
  return (
    <>
      <Button kind="link" onClick={() => setOpen(true)}>
        {withoutInvisible(url)}
      </Button>
      {host.includes("xn--") && (
        <>
          {" "}
          <span class="mark">{host}</span>
        </>
      )}
      {isOpen && (
        <Dialog title="Open this link?" onClose={() => setOpen(false)}>
          <p>An agent wrote this link. It leads to:</p>
          <Target url={url} />
          <div class="actions">
            <a class="button" href={url} target="_blank" rel="noopener noreferrer nofollow">
              Open the link in a new tab
            </a>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Shows a URL as the browser will open it. The host is highlighted in its ASCII form. */
function Target({ url }: { url: string }) {
  if (!URL.canParse(url)) return <p class="target">{withoutInvisible(url)}</p>;
  const { origin, host, href } = new URL(url);
  const [scheme] = origin.split("//");
  return (
    <p class="target">
      {`${scheme}//`}
      <strong>{host}</strong>
      {withoutInvisible(href.slice(href.indexOf(host) + host.length))}
    </p>
  );
}

export function visible(text: string): string {
  return marked(text).replace(/\s+/g, " ");
}

function marked(text: string): string {
  const hosts = new RegExp(MIXED_HOST.source, "gu");
  return withoutInvisible(text.replace(hosts, (host) => `${host} <${asciiOf(host)}>`));
}

function withoutInvisible(text: string): string {
  return text.replace(
    new RegExp(INVISIBLE.source, "gu"),
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase()}>`,
  );
}
