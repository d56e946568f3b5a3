/** Finds a text's tokens (docs/specification/reading.md#words). */

/**
 * Scripts whose characters are indexed in pairs, because spaces do not separate words. They form one class,
 * because a word can mix Han and kana.
 */
const PAIRED_SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const PAIRED = String.raw`[[${PAIRED_SCRIPTS}]&&[\p{Alphabetic}\p{M}]]`;
/** Digits and the few letters of no script, which become part of the surrounding word. */
const NEUTRAL = String.raw`[[\p{sc=Common}&&[\p{Alphabetic}\p{Nd}]]--${PAIRED}]`;
const SEPARATE_SCRIPTS = [String.raw`\p{sc=Latin}`, String.raw`\p{sc=Cyrillic}`, String.raw`\p{sc=Greek}`];
const LETTERS = [
  ...SEPARATE_SCRIPTS.map((script) => String.raw`[[${script}]&&[\p{Alphabetic}\p{Nd}]]`),
  String.raw`[[\p{Alphabetic}\p{Nd}]--[\p{sc=Common}${SEPARATE_SCRIPTS.join("")}]--${PAIRED}]`,
];
const WORDS = LETTERS.map((letter) => String.raw`${NEUTRAL}*${letter}[${letter}${NEUTRAL}\p{M}]*`);

const TOKEN = new RegExp(`(${PAIRED})(?=(${PAIRED})?)|${WORDS.join("|")}|${NEUTRAL}+`, "gv");
const NOT_ASCII = /[^\0-\x7f]/;
const ONE_PAIRED = new RegExp(`^${PAIRED}$`, "v");

/** Characters that join words into compounds, such as host names and paths. */
const JOINT = /[-._/@]/;

/** Searches find longer compounds only by their parts. */
const MAX_COMPOUND_LENGTH = 256;

export function isPairedCharacter(token: string): boolean {
  return ONE_PAIRED.test(token);
}

/** Removes differences in case and Unicode composition, independent of the locale. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

/** @param code UTF-16 code of a folded character */
function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

export interface Group {
  /** Number of parts. */
  parts: number;
  /** Undefined if the text is too long. */
  text: string | undefined;
  /** Whether a character such as a dot joins its parts. */
  isCompound: boolean;
}

export interface TokenReceiver {
  /** A word, or a pair of characters. */
  part(token: string): void;
  /** A group is a run of adjacent parts: a single word, a sentence of Han, or a compound. */
  groupEnd(group: Group): void;
}

/** Reads a text's tokens in steps. The run time is linear in the text's length. */
export class Tokeniser {
  /** Single characters of scripts that are indexed in pairs, so that a search for one character finds it. */
  readonly characters = new Set<string>();
  private readonly text: string;
  private readonly isAscii: boolean;
  private at = 0;
  private start = 0;
  private end = 0;
  private parts = 0;
  private isCompound = false;
  private pairEnd = 0;

  constructor(
    text: string,
    private readonly receiver: TokenReceiver,
  ) {
    this.text = fold(text);
    this.isAscii = !NOT_ASCII.test(this.text);
  }

  /** Returns whether the text has ended. */
  run(characters: number): boolean {
    const until = this.at + characters;
    while (this.at < until) {
      if (!(this.isAscii ? this.readAscii() : this.readAny())) {
        this.endGroup();
        return true;
      }
    }
    return false;
  }

  /** Finds the same tokens as `readAny`, but much faster. Returns false at the end of the text. */
  private readAscii(): boolean {
    const { text } = this;
    let start = this.at;
    while (start < text.length && !isAsciiWord(text.charCodeAt(start))) start++;
    if (start === text.length) return false;
    let end = start + 1;
    while (end < text.length && isAsciiWord(text.charCodeAt(end))) end++;
    this.moveTo(start, end);
    this.emit(text.slice(start, end));
    return true;
  }

  private readAny(): boolean {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (!found) return false;
    const { index, 0: token, 1: paired, 2: next } = found;
    this.moveTo(index, index + token.length);
    if (paired === undefined) this.emit(token);
    else this.readPaired(paired, next);
    return true;
  }

  /** Ends the group if the next token does not belong to it. */
  private moveTo(start: number, end: number): void {
    if (this.parts > 0 && !this.continuesAt(start)) this.endGroup();
    if (this.parts === 0) this.start = start;
    this.end = end;
    this.at = end;
  }

  private readPaired(character: string, next: string | undefined): void {
    this.characters.add(character);
    if (next !== undefined) {
      this.pairEnd = this.end + next.length;
      this.emit(character + next);
    } else if (this.pairEnd !== this.end) {
      this.emit(character);
    }
  }

  private emit(token: string): void {
    this.parts++;
    this.receiver.part(token);
  }

  private continuesAt(index: number): boolean {
    if (index === this.end) return true;
    const joins = index === this.end + 1 && JOINT.test(this.text.charAt(this.end));
    this.isCompound ||= joins;
    return joins;
  }

  private endGroup(): void {
    if (this.parts === 0) return;
    const { parts, isCompound } = this;
    const isTooLong = this.end - this.start > MAX_COMPOUND_LENGTH;
    const text = isTooLong ? undefined : this.text.slice(this.start, this.end);
    this.receiver.groupEnd({ parts, text, isCompound });
    this.parts = 0;
    this.isCompound = false;
  }
}
