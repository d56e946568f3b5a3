/** Turns a text into search terms, stemmed, with their positions (docs/specification/reading.md#words). */
import { stem } from "porter2";

/**
 * Scripts whose characters are indexed in pairs, because spaces do not separate words. They form one class,
 * because a word can mix Han and kana.
 */
const PAIRED_SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const PAIRED = String.raw`[[${PAIRED_SCRIPTS}]&&[\p{Alphabetic}\p{M}]]`;
/** Digits, and the few letters that belong to no script. They become part of the surrounding word. */
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
function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

/** @param code UTF-16 code of a folded character */
function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** English stop words from the Snowball project (snowballstem.org, BSD licence). */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves what which who whom this that these those am is are was were be
  been being have has had having do does did doing a an the and but if or because as until while of at by for with
  about against between into through during before after above below to from up down in out on off over under again
  further then once here there when where why how all any both each few more most other some such no nor not only
  own same so than too very s t can will just don should now`.split(/\s+/),
);

/** Longer tokens are not indexed. */
const MAX_TOKEN_LENGTH = 512;
/** Longer words are indexed without stemming. */
const MAX_STEMMED_LENGTH = 128;

/**
 * The cache is emptied when it is full, because evicting single entries would cost more than stemming their
 * words again. Entries never become stale, because a stem depends only on its word.
 */
const stemCache = new Map<string, string>();
const CACHE_SIZE = 20_000;
/** Longer words rarely occur again. */
const MAX_CACHED_LENGTH = 24;

/** Keeps a step from blocking the event loop for long. */
const STEP_CHARACTERS = 1_024;

/**
 * Analyses a text in steps, because the longest texts would block the event loop. The run time is linear in
 * the text's length.
 */
export class TextAnalysis {
  /** Terms by position. An empty string stands for a stop word. */
  readonly parts: string[] = [];
  /** Number of runs of adjacent parts: a word, a sentence of Han, or a compound such as `example.com`. */
  groups = 0;
  /** Undefined if the text of the last group is too long. */
  lastGroup: string | undefined;
  /** Whole compounds, such as `example.com`. */
  readonly wholes = new Set<string>();
  /** Single characters of scripts that are indexed in pairs, so that a search for one character finds it. */
  private readonly characters = new Set<string>();
  private readonly text: string;
  private readonly isAscii: boolean;
  private at = 0;
  private start = 0;
  private end = 0;
  private partsOfGroup = 0;
  private isCompound = false;
  private pairEnd = 0;
  private lastToken = "";

  constructor(text: string) {
    this.text = fold(text);
    this.isAscii = !NOT_ASCII.test(this.text);
  }

  /** Returns whether the analysis has ended. */
  run(characters = STEP_CHARACTERS): boolean {
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
    if (this.partsOfGroup > 0 && !this.continuesAt(start)) this.endGroup();
    if (this.partsOfGroup === 0) this.start = start;
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
    this.partsOfGroup++;
    this.lastToken = token;
    if (token.length <= MAX_TOKEN_LENGTH) this.parts.push(stemOf(token));
  }

  private continuesAt(index: number): boolean {
    if (index === this.end) return true;
    const joins = index === this.end + 1 && JOINT.test(this.text.charAt(this.end));
    this.isCompound ||= joins;
    return joins;
  }

  private endGroup(): void {
    if (this.partsOfGroup === 0) return;
    const isTooLong = this.end - this.start > MAX_COMPOUND_LENGTH;
    this.groups++;
    this.lastGroup = isTooLong ? undefined : this.text.slice(this.start, this.end);
    if (this.isCompound && this.lastGroup !== undefined) this.wholes.add(this.lastGroup);
    // Keep stop words within a compound, so that searches find `who.is` and `to_json`.
    if (this.partsOfGroup === 1 && STOP_WORDS.has(this.lastToken)) this.parts[this.parts.length - 1] = "";
    this.partsOfGroup = 0;
    this.isCompound = false;
  }

  /**
   * The terms to index, by position. Whole compounds and single characters have no neighbours, so they come
   * last, after a gap.
   */
  get terms(): string[] {
    const { parts, wholes, characters } = this;
    return wholes.size + characters.size === 0 ? parts : [...parts, "", ...wholes, ...characters];
  }
}

/** Analyses a whole text at once. */
export function analyse(text: string): TextAnalysis {
  const analysis = new TextAnalysis(text);
  while (!analysis.run());
  return analysis;
}

const DIGIT = /\p{Nd}/u;

function stemOf(word: string): string {
  const cached = stemCache.get(word);
  if (cached !== undefined) return cached;
  if (word.length > MAX_STEMMED_LENGTH || DIGIT.test(word)) return word;
  const term = stem(word);
  if (word.length <= MAX_CACHED_LENGTH) {
    if (stemCache.size === CACHE_SIZE) stemCache.clear();
    stemCache.set(word, term);
  }
  return term;
}
