/** Finds HTML and XML markup in a text. Markup is not searchable. */
import { ALNUM, classAt, DIGIT, isAsciiLetterAt, SPACE } from "./characters.js";

/** Characters that are allowed in a tag after its name and outside quotes. */
const ATTRIBUTES = /[A-Za-z0-9=\-_#/:.&?%~]/;

export class TagReader {
  isInScriptOrStyle = false;
  private noMoreComments = false;

  constructor(private readonly text: string) {}

  /** Returns the end of the tag, comment or declaration that starts at `start`, or -1. */
  read(start: number): number {
    const next = this.text[start + 1];
    if (next === "!") return this.declaration(start);
    if (next === "?") return this.text[start + 2] === "x" ? this.attributes(start + 3) : -1;
    if (next === "/") return isAsciiLetterAt(this.text, start + 2) ? this.tagWithName(start, start + 3) : -1;
    if (next === ":" || next === "_" || isAsciiLetterAt(this.text, start + 1))
      return this.tagWithName(start, start + 2);
    return -1;
  }

  private declaration(start: number): number {
    const next = this.text[start + 2];
    if (next === "D" || next === "d") return this.attributes(start + 3);
    if (this.noMoreComments || !this.text.startsWith("--", start + 2)) return -1;
    const close = this.text.indexOf("-->", start + 4);
    this.noMoreComments = close < 0;
    return close < 0 ? -1 : close + 3;
  }

  private tagWithName(start: number, from: number): number {
    for (let at = from; ; at++) {
      const char = this.text.charAt(at);
      const kind = classAt(this.text, at);
      if (char === "/") return this.text[at + 1] === ">" ? at + 2 : -1;
      if (char === ">" || kind & SPACE) {
        this.trackScriptOrStyle(this.text.slice(start, at));
        return char === ">" ? at + 1 : this.attributes(at + 1);
      }
      if (!(kind & ALNUM) && (char === "" || !":_.-".includes(char))) return -1;
    }
  }

  private trackScriptOrStyle(tag: string): void {
    if (/^<(?:script|style)$/i.test(tag)) this.isInScriptOrStyle = true;
    else if (/^<\/(?:script|style)$/i.test(tag)) this.isInScriptOrStyle = false;
  }

  private attributes(from: number): number {
    for (let at = from; at < this.text.length; at++) {
      const char = this.text.charAt(at);
      if (char === ">") return at + 1;
      if (char === "'" || char === '"') {
        at = this.closingQuote(at, char);
        if (at < 0) return -1;
      } else if (!ATTRIBUTES.test(char) && !(classAt(this.text, at) & SPACE)) return -1;
    }
    return -1;
  }

  private closingQuote(open: number, quote: string): number {
    for (let at = open + 1; at < this.text.length; at++) {
      if (this.text[at] === "\\") at++;
      else if (this.text[at] === quote) return at;
    }
    return -1;
  }
}

/** Returns the end of the HTML entity (`&amp;`, `&#38;`, `&#x26;`) that starts at `start`, or -1. */
export function entityEnd(text: string, start: number): number {
  let at = start + 1;
  if (text[at] === "#") {
    const hex = text[at + 1] === "x" || text[at + 1] === "X";
    const first = hex ? at + 2 : at + 1;
    at = first;
    while (hex ? /[0-9a-f]/i.test(text.charAt(at)) : classAt(text, at) & DIGIT) at++;
    return at > first && text[at] === ";" ? at + 1 : -1;
  }
  if (!isAsciiLetterAt(text, at) && text[at] !== ":" && text[at] !== "_") return -1;
  while (classAt(text, at) & ALNUM || (at < text.length && ":_.-".includes(text.charAt(at)))) at++;
  return text[at] === ";" ? at + 1 : -1;
}
