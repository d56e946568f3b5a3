/** Turns a text into search terms: stemmed tokens with their positions. */
import { stem } from "porter2";
import { STOP_WORDS } from "./stop-words.js";
import { Tokeniser } from "./tokens.js";

/** Longer tokens are not indexed. */
const MAX_TOKEN_LENGTH = 512;
/** Longer words are indexed without stemming. */
const MAX_STEMMED_LENGTH = 128;

/**
 * Emptied when it is full. Evicting single entries would cost more than stemming their words again. Entries
 * never become stale, because a stem depends only on its word.
 */
const stemCache = new Map<string, string>();
const CACHE_SIZE = 20_000;
/** Longer words rarely occur again. */
const MAX_CACHED_LENGTH = 24;

/** Keeps a step from blocking the event loop for long. */
const STEP_CHARACTERS = 1_024;

/** Analyses a text in steps, because the longest texts would block the event loop. */
export class TextAnalysis {
  /** Terms by position. An empty string stands for a stop word. */
  readonly parts: string[] = [];
  /** Whole compounds, such as `example.com`. */
  readonly wholes = new Set<string>();
  /** A group is a single word, or a compound such as `example.com`. */
  groups = 0;
  lastGroup: string | undefined;
  private lastToken = "";
  private readonly tokeniser: Tokeniser;

  constructor(text: string) {
    this.tokeniser = new Tokeniser(text, {
      part: (token) => {
        this.lastToken = token;
        if (token.length <= MAX_TOKEN_LENGTH) this.parts.push(stemOf(token));
      },
      groupEnd: ({ parts, text, isCompound }) => {
        this.groups++;
        this.lastGroup = text;
        if (isCompound && text !== undefined) this.wholes.add(text);
        // Keep stop words within a compound, so that searches find `who.is` and `to_json`.
        if (parts === 1 && STOP_WORDS.has(this.lastToken)) this.parts[this.parts.length - 1] = "";
      },
    });
  }

  /** Returns whether the analysis has ended. */
  run(): boolean {
    return this.tokeniser.run(STEP_CHARACTERS);
  }

  /**
   * The terms to index, by position. Whole compounds and single characters have no neighbours, so they come
   * last, after a gap.
   */
  get terms(): string[] {
    const { parts, wholes } = this;
    const { characters } = this.tokeniser;
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
