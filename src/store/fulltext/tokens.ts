/** Splits a text into tokens, as the default parser of PostgreSQL does. */
import { type Address, addressAt, emailAt, LabelRunCache } from "./addresses.js";
import {
  ALNUM,
  ASCII,
  classAt,
  DIGIT,
  isAsciiLetterAt,
  LETTER,
  MARK,
  TOKEN_START,
  WORD,
} from "./characters.js";
import { entityEnd, TagReader } from "./markup.js";
import { AFTER_LEADING_DOT, AFTER_SLASH, AFTER_TILDE, IN_NAME, PathReader } from "./paths.js";

const SPACE_CODE = 0x20;

/**
 * Receives the start and end of a token. `isWord` is true for words of a language, which are stemmed and can
 * be stop words.
 */
export type Emit = (start: number, end: number, isWord: boolean) => void;

/**
 * Passes the tokens of a text to `emit`, in order. The run time is linear in the length of the text.
 *
 * A token starts with a letter, a digit, or one of `- + & ~ / . <`. At each position, the most specific form
 * is used: an address (host, URL, e-mail), a number, a path, a hyphenated compound, or a word.
 *
 * A compound is emitted as a whole and then in parts. A URL is emitted as a whole, then its host, then its
 * path. Tags, entities, `http://`, and the content of `<script>` and `<style>` are skipped.
 */
export class Tokeniser {
  private at = 0;
  private readonly tags: TagReader;
  private readonly paths: PathReader;
  private readonly labelRuns = new LabelRunCache();

  constructor(
    private readonly text: string,
    private readonly emit: Emit,
  ) {
    this.tags = new TagReader(text);
    this.paths = new PathReader(text);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Reads about this many further characters. It ends after a whole token, however long that is. */
  run(characters: number): void {
    const end = Math.min(this.at + characters, this.text.length);
    while (this.at < end) {
      if (this.is(this.at, "<") && this.skipTo(this.tags.read(this.at))) continue;
      if (this.tags.isInScriptOrStyle || !this.readToken()) this.skipSeparators();
    }
  }

  /** Reads the token or markup at the current position. Returns false if there is none. */
  private readToken(): boolean {
    const kind = classAt(this.text, this.at);
    if (kind & LETTER) return kind & ASCII ? this.asciiWord() : this.word(this.at);
    if (kind & DIGIT) return this.number(this.at);
    switch (this.text[this.at]) {
      case "-":
      case "+":
        return this.signedNumber();
      case "&":
        return this.skipTo(entityEnd(this.text, this.at));
      case "~":
        return this.emitUntil(this.paths.read(AFTER_TILDE, this.at + 1));
      case "/":
        return this.emitUntil(this.paths.read(AFTER_SLASH, this.at + 1));
      case ".":
        return this.emitUntil(this.paths.read(AFTER_LEADING_DOT, this.at + 1));
      default:
        return false;
    }
  }

  /** Skips at least one character, up to the next possible start of a token. `~` and `.` are also skipped. */
  private skipSeparators(): void {
    for (this.at++; this.at < this.text.length; this.at++) {
      if (this.is(this.at, "<")) return;
      if (!this.tags.isInScriptOrStyle && classAt(this.text, this.at) & (ALNUM | TOKEN_START)) return;
    }
  }

  private asciiWord(): boolean {
    const start = this.at;
    let end = start + 1;
    while (isAsciiLetterAt(this.text, end)) end++;
    if (this.text.charCodeAt(end) === SPACE_CODE) return this.emitUntil(end, true);
    switch (this.text[end]) {
      case ".":
        return this.address() || this.pathWithin(end) || this.emitUntil(end, true);
      case "-":
        return this.address() || this.compound(end, false) || this.emitUntil(end, true);
      case "_":
      case "@":
        return this.address() || this.emitUntil(end, true);
      case "/":
        return this.emitUntil(this.paths.read(AFTER_SLASH, end + 1)) || this.emitUntil(end, true);
      case ":":
        return (this.text.startsWith("//", end + 1) && this.skipTo(end + 3)) || this.emitUntil(end, true);
    }
    const next = classAt(this.text, end);
    if (next & DIGIT) return this.address() || this.numberWord(end);
    return next & WORD ? this.word(end) : this.emitUntil(end, true);
  }

  /** Reads a word of any script. `at` is a position in the word. */
  private word(at: number): boolean {
    const end = this.skipClass(at, LETTER | MARK);
    if (classAt(this.text, end) & DIGIT) return this.numberWord(end);
    return (this.is(end, "-") && this.compound(end, false)) || this.emitUntil(end, true);
  }

  /** Reads a word with digits, such as `b2b`. `at` is a position in the word. */
  private numberWord(at: number): boolean {
    const end = this.skipClass(at, WORD);
    switch (this.text[end]) {
      case "@":
        return this.emitUntil(emailAt(this.text, end)) || this.emitUntil(end);
      case "/":
        return this.emitUntil(this.paths.read(AFTER_SLASH, end + 1)) || this.emitUntil(end);
      case ".":
        return this.pathWithin(end) || this.emitUntil(end);
      case "-":
        return this.compound(end, true) || this.emitUntil(end);
      default:
        return this.emitUntil(end);
    }
  }

  /**
   * Reads a token that starts with a digit: a number, a version such as `1.2.3`, an address, a path or a
   * word.
   */
  private number(start: number): boolean {
    this.at = start;
    const end = this.skipClass(start, DIGIT);
    switch (this.text[end]) {
      case ".":
        return this.address() || this.emitUntil(this.fraction(end, true));
      case "e":
      case "E":
        if (this.emitUntil(this.exponent(end))) return true;
        break;
      case "-":
      case "_":
      case "@":
        return this.address() || this.emitUntil(end);
      case "/":
        return this.emitUntil(this.paths.read(AFTER_SLASH, end + 1)) || this.emitUntil(end);
    }
    if (isAsciiLetterAt(this.text, end) && this.address()) return true;
    return classAt(this.text, end) & (LETTER | MARK) ? this.numberWord(end) : this.emitUntil(end);
  }

  /** Reads a number with its sign. In a version such as `-1.2.3`, the sign is not part of the token. */
  private signedNumber(): boolean {
    const first = this.at + 1;
    const end = this.skipClass(first, DIGIT);
    if (end === first) return false;
    if (!this.is(end, ".")) return this.emitUntil(this.exponent(end)) || this.emitUntil(end);
    const fraction = this.fraction(end, false);
    return fraction < 0 ? this.number(first) : this.emitUntil(fraction);
  }

  /**
   * Returns the end of the number that has its dot at `at`. Returns -1 for a version such as `1.2.3`, if
   * `versions` is false.
   */
  private fraction(at: number, versions: boolean): number {
    if (!(classAt(this.text, at + 1) & DIGIT)) return at;
    let end = this.skipClass(at + 1, DIGIT);
    if (!this.beginsFraction(end)) return Math.max(end, this.exponent(end));
    if (!versions) return -1;
    while (this.beginsFraction(end)) end = this.skipClass(end + 1, DIGIT);
    return end;
  }

  private beginsFraction(at: number): boolean {
    return this.is(at, ".") && (classAt(this.text, at + 1) & DIGIT) !== 0;
  }

  /** Returns the end of the exponent that starts at `at`, such as `e-7`, or -1 if there is none. */
  private exponent(at: number): number {
    if (!this.is(at, "e") && !this.is(at, "E")) return -1;
    const digits = this.is(at + 1, "+") || this.is(at + 1, "-") ? at + 2 : at + 1;
    return classAt(this.text, digits) & DIGIT ? this.skipClass(digits, DIGIT) : -1;
  }

  /** Emits the host, URL or e-mail address that starts here. Returns false if there is none. */
  private address(): boolean {
    const start = this.at;
    const found: Address | null = addressAt(this.text, start, this.labelRuns);
    if (!found) return false;
    if (found.pathEnd > found.end) {
      this.emit(start, found.pathEnd, false);
      this.emit(start, found.end, false);
      this.emit(found.end, found.pathEnd, false);
    } else {
      this.emit(start, found.end, false);
    }
    this.at = Math.max(found.end, found.pathEnd);
    return true;
  }

  /** Emits a file name such as `a1.txt`. `at` is the position of its dot. */
  private pathWithin(at: number): boolean {
    const end = this.paths.read(IN_NAME, at);
    return end > at && this.emitUntil(end);
  }

  /**
   * Emits a hyphenated compound as one token, and then each of its parts. `hyphen` is the position of the
   * first hyphen.
   */
  private compound(hyphen: number, hasDigits: boolean): boolean {
    let end = hyphen;
    while (this.is(end, "-") && this.beginsPart(end + 1)) {
      for (end++; classAt(this.text, end) & WORD; end++) {
        if (classAt(this.text, end) & DIGIT) hasDigits = true;
      }
    }
    if (end === hyphen) return false;
    this.emit(this.at, end, !hasDigits);
    this.emitParts();
    return true;
  }

  /**
   * Returns whether a part of a hyphenated compound starts here: a letter, or digits followed by a letter.
   */
  private beginsPart(at: number): boolean {
    if (classAt(this.text, at) & LETTER) return true;
    const digits = this.skipClass(at, DIGIT);
    return digits > at && (classAt(this.text, digits) & (LETTER | MARK)) !== 0;
  }

  private emitParts(): void {
    while (this.beginsPart(this.at)) {
      const words = this.skipClass(this.at, LETTER | MARK);
      const end = this.skipClass(words, WORD);
      this.emit(this.at, end, words === end);
      const hasNextPart = this.is(end, "-") && classAt(this.text, end + 1) & WORD;
      this.at = hasNextPart ? end + 1 : end;
    }
  }

  private skipClass(from: number, mask: number): number {
    let at = from;
    while (classAt(this.text, at) & mask) at++;
    return at;
  }

  private is(at: number, char: string): boolean {
    return this.text[at] === char;
  }

  /**
   * Emits the token from the current position to `end`, and moves the position to `end`. Returns false if
   * `end` is -1.
   */
  private emitUntil(end: number, isWord = false): boolean {
    if (end < 0) return false;
    this.emit(this.at, end, isWord);
    this.at = end;
    return true;
  }

  private skipTo(end: number): boolean {
    if (end < 0) return false;
    this.at = end;
    return true;
  }
}
