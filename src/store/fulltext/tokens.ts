import { type Address, addressAt, emailAt, WalkMemo } from "./addresses.js";
import { ALNUM, ASCII, classAt, DIGIT, isAsciiLetterAt, LETTER, MARK, OPENER, WORD } from "./characters.js";
import { entityEnd, TagReader } from "./markup.js";
import { FROM_DOT, FROM_SLASH, FROM_TILDE, PathReader, WITHIN } from "./paths.js";

/** What follows most words. */
const BLANK = 0x20;

/** Takes a token: where it stands, and whether it is a word of a language (to be stemmed, and may be a stop word). */
export type Emit = (start: number, end: number, isWord: boolean) => void;

/** Finds the tokens of `text`, in order, as PostgreSQL's default parser does. Time is linear in the length. */
export function tokenise(text: string, emit: Emit): void {
  new Tokeniser(text, emit).run();
}

/**
 * A token begins with a letter, a digit, or one of `- + & ~ / . <`, and takes the most specific form that fits there:
 * address (host, URL, e-mail), number, path, hyphenated compound, word. A compound is given whole, then in its parts;
 * a URL whole, then its host, then its path. Tags, entities and `http://` are passed over, and so is all that stands
 * within `<script>` and `<style>`.
 */
class Tokeniser {
  private at = 0;
  private readonly tags: TagReader;
  private readonly paths: PathReader;
  private readonly walks = new WalkMemo();

  constructor(
    private readonly text: string,
    private readonly emit: Emit,
  ) {
    this.tags = new TagReader(text);
    this.paths = new PathReader(text);
  }

  run(): void {
    while (this.at < this.text.length) {
      if (this.is(this.at, "<") && this.skipTo(this.tags.read(this.at))) continue;
      if (this.tags.muted || !this.token()) this.skipBlank();
    }
  }

  /** Reads what begins here; false when it is nothing. */
  private token(): boolean {
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
        return this.give(this.paths.read(FROM_TILDE, this.at + 1));
      case "/":
        return this.give(this.paths.read(FROM_SLASH, this.at + 1));
      case ".":
        return this.give(this.paths.read(FROM_DOT, this.at + 1));
      default:
        return false;
    }
  }

  /** Passes at least one character. What may begin a token within a run of blanks: not "~" and ".". */
  private skipBlank(): void {
    for (this.at++; this.at < this.text.length; this.at++) {
      if (this.is(this.at, "<")) return;
      if (!this.tags.muted && classAt(this.text, this.at) & (ALNUM | OPENER)) return;
    }
  }

  private asciiWord(): boolean {
    const start = this.at;
    let end = start + 1;
    while (isAsciiLetterAt(this.text, end)) end++;
    if (this.text.charCodeAt(end) === BLANK) return this.give(end, true);
    switch (this.text[end]) {
      case ".":
        return this.address() || this.pathWithin(end) || this.give(end, true);
      case "-":
        return this.address() || this.compound(end, false) || this.give(end, true);
      case "_":
      case "@":
        return this.address() || this.give(end, true);
      case "/":
        return this.give(this.paths.read(FROM_SLASH, end + 1)) || this.give(end, true);
      case ":":
        return (this.text.startsWith("//", end + 1) && this.skipTo(end + 3)) || this.give(end, true);
    }
    const next = classAt(this.text, end);
    if (next & DIGIT) return this.address() || this.numberWord(end);
    return next & WORD ? this.word(end) : this.give(end, true);
  }

  /** A word of any script; `at` is within it. */
  private word(at: number): boolean {
    const end = this.pass(at, LETTER | MARK);
    if (classAt(this.text, end) & DIGIT) return this.numberWord(end);
    return (this.is(end, "-") && this.compound(end, false)) || this.give(end, true);
  }

  /** A word with digits, such as `b2b`; `at` is within it. */
  private numberWord(at: number): boolean {
    const end = this.pass(at, WORD);
    switch (this.text[end]) {
      case "@":
        return this.give(emailAt(this.text, end)) || this.give(end);
      case "/":
        return this.give(this.paths.read(FROM_SLASH, end + 1)) || this.give(end);
      case ".":
        return this.pathWithin(end) || this.give(end);
      case "-":
        return this.compound(end, true) || this.give(end);
      default:
        return this.give(end);
    }
  }

  /** An unsigned number, a version such as `1.2.3`, or what else begins with digits. */
  private number(start: number): boolean {
    this.at = start;
    const end = this.pass(start, DIGIT);
    switch (this.text[end]) {
      case ".":
        return this.address() || this.give(this.fraction(end, true));
      case "e":
      case "E":
        if (this.give(this.exponent(end))) return true;
        break;
      case "-":
      case "_":
      case "@":
        return this.address() || this.give(end);
      case "/":
        return this.give(this.paths.read(FROM_SLASH, end + 1)) || this.give(end);
    }
    if (isAsciiLetterAt(this.text, end) && this.address()) return true;
    return classAt(this.text, end) & (LETTER | MARK) ? this.numberWord(end) : this.give(end);
  }

  /** A sign belongs to the number after it, but not to a version. */
  private signedNumber(): boolean {
    const first = this.at + 1;
    const end = this.pass(first, DIGIT);
    if (end === first) return false;
    if (!this.is(end, ".")) return this.give(this.exponent(end)) || this.give(end);
    const fraction = this.fraction(end, false);
    return fraction < 0 ? this.number(first) : this.give(fraction);
  }

  /**
   * The end of a number whose digits end at `at`, where a point is: after the fraction and the exponent, if there
   * are. A second point makes it a version, or -1 where none may be.
   */
  private fraction(at: number, versions: boolean): number {
    if (!(classAt(this.text, at + 1) & DIGIT)) return at;
    let end = this.pass(at + 1, DIGIT);
    if (!this.beginsFraction(end)) return Math.max(end, this.exponent(end));
    if (!versions) return -1;
    while (this.beginsFraction(end)) end = this.pass(end + 1, DIGIT);
    return end;
  }

  private beginsFraction(at: number): boolean {
    return this.is(at, ".") && (classAt(this.text, at + 1) & DIGIT) !== 0;
  }

  /** The end of an exponent such as `e-7`, or -1. */
  private exponent(at: number): number {
    if (!this.is(at, "e") && !this.is(at, "E")) return -1;
    const digits = this.is(at + 1, "+") || this.is(at + 1, "-") ? at + 2 : at + 1;
    return classAt(this.text, digits) & DIGIT ? this.pass(digits, DIGIT) : -1;
  }

  /** A host, URL or e-mail address. */
  private address(): boolean {
    const start = this.at;
    const found: Address | null = addressAt(this.text, start, this.walks);
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

  /** A file name such as `a1.txt`; the point is at `at`. */
  private pathWithin(at: number): boolean {
    const end = this.paths.read(WITHIN, at);
    return end > at && this.give(end);
  }

  /** A hyphenated compound whose first hyphen is at `hyphen`: it is given whole, then its parts. */
  private compound(hyphen: number, hasDigits: boolean): boolean {
    let end = hyphen;
    while (this.is(end, "-") && this.beginsPart(end + 1)) {
      for (end++; classAt(this.text, end) & WORD; end++) {
        if (classAt(this.text, end) & DIGIT) hasDigits = true;
      }
    }
    if (end === hyphen) return false;
    this.emit(this.at, end, !hasDigits);
    this.parts();
    return true;
  }

  /** A part of a compound has a letter at its beginning, or after the digits at its beginning. */
  private beginsPart(at: number): boolean {
    if (classAt(this.text, at) & LETTER) return true;
    const digits = this.pass(at, DIGIT);
    return digits > at && (classAt(this.text, digits) & (LETTER | MARK)) !== 0;
  }

  private parts(): void {
    while (this.beginsPart(this.at)) {
      const words = this.pass(this.at, LETTER | MARK);
      const end = this.pass(words, WORD);
      this.emit(this.at, end, words === end);
      const goesOn = this.is(end, "-") && classAt(this.text, end + 1) & WORD;
      this.at = goesOn ? end + 1 : end;
    }
  }

  private pass(from: number, mask: number): number {
    let at = from;
    while (classAt(this.text, at) & mask) at++;
    return at;
  }

  private is(at: number, char: string): boolean {
    return this.text[at] === char;
  }

  /** Gives the token that ends at `end`, if there is one, and goes on behind it. */
  private give(end: number, isWord = false): boolean {
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
