/** Splits text into search terms, which are stemmed tokens with their positions. */
import { LRUCache } from "lru-cache";
import { stem } from "porter2";
import { lowerCase } from "./characters.js";
import { STOP_WORDS } from "./stop-words.js";
import { Tokeniser } from "./tokens.js";

/** A normalised token, and its position among the tokens of the text, counted from 1. */
export interface Term {
  readonly term: string;
  readonly position: number;
}

/** Longer tokens are not indexed. The limit is the same as MAXSTRLEN in PostgreSQL. */
const MAX_TOKEN_BYTES = 2046;
/** Longer words are indexed without stemming. */
const MAX_STEMMED_BYTES = 1000;

/**
 * Tokens of 333 or fewer characters have at most 999 bytes in UTF-8, so their size in bytes needs no check.
 */
const MIN_CHECKED_LENGTH = 334;

/**
 * Maximum number of cached stems. Cached stems never become stale, because a stem depends only on the token.
 */
const CACHE_SIZE = 20_000;
/** Longer tokens are not cached, because they are rarely words that occur again. */
const MAX_CACHED_LENGTH = 24;
const stemCache = new LRUCache<string, string>({ max: CACHE_SIZE });

/**
 * Returns the terms of an English text, like `to_tsvector('english', text)` of PostgreSQL 15. Tokens are in
 * lower case, and words are stemmed. Stop words are removed, but they still count for the positions. The
 * function accepts any string and runs in linear time.
 */
export function analyse(text: string): Term[] {
  const terms: Term[] = [];
  for (const [index, term] of termsByPosition(text).entries())
    if (term !== "") terms.push({ term, position: index + 1 });
  return terms;
}

/** Returns the term at each position, from position 1 on. A stop word is returned as an empty string. */
export function termsByPosition(text: string): string[] {
  const analysis = new TextAnalysis(text);
  while (!analysis.run());
  return analysis.terms;
}

/** Maximum numbers of characters and of words for a step of an analysis. It takes about a millisecond. */
const STEP_CHARACTERS = 2_048;
const STEP_WORDS = 512;

/**
 * The analysis of a text, step by step. The longest texts take tens of milliseconds, mostly for stems of
 * words that are not cached.
 */
export class TextAnalysis {
  /** The terms by position, when the analysis has ended. */
  readonly terms: string[] = [];
  /**
   * Indexes of the terms that are words without a cached stem, and how many of these are replaced with their
   * stems already.
   */
  private readonly words: number[] = [];
  private stemmed = 0;
  private readonly tokeniser: Tokeniser;

  constructor(text: string) {
    this.tokeniser = new Tokeniser(text, (start, end, isWord) => {
      const token = text.slice(start, end);
      if (isTooLong(token, MAX_TOKEN_BYTES)) return;
      const term = isWord ? stemCache.get(token) : lowerCase(token);
      if (term === undefined) this.words.push(this.terms.length);
      this.terms.push(term ?? token);
    });
  }

  /** Runs the next step. Returns whether the analysis has ended. */
  run(): boolean {
    this.tokeniser.run(STEP_CHARACTERS);
    const end = Math.min(this.stemmed + STEP_WORDS, this.words.length);
    for (; this.stemmed < end; this.stemmed++) {
      const index = this.words[this.stemmed]!;
      this.terms[index] = stemAndCache(this.terms[index]!);
    }
    return this.tokeniser.isAtEnd && end === this.words.length;
  }
}

/** Returns the stem of a word, or an empty string for a stop word. */
function stemAndCache(token: string): string {
  const term = stemOrEmpty(lowerCase(token));
  if (token.length <= MAX_CACHED_LENGTH) stemCache.set(token, term);
  return term;
}

function stemOrEmpty(word: string): string {
  if (STOP_WORDS.has(word)) return "";
  return isTooLong(word, MAX_STEMMED_BYTES) ? word : stem(word);
}

function isTooLong(token: string, maxBytes: number): boolean {
  return token.length >= MIN_CHECKED_LENGTH && Buffer.byteLength(token) > maxBytes;
}
