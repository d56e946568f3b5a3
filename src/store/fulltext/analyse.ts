import { LRUCache } from "lru-cache";
import { stem } from "porter2";
import { lowerCase } from "./characters.js";
import { STOP_WORDS } from "./stop-words.js";
import { tokenise } from "./tokens.js";

/** A searchable form of a token, and its number among the tokens of the text, from 1. */
export interface Term {
  readonly term: string;
  readonly position: number;
}

/** Longer tokens are not found by search (PostgreSQL's MAXSTRLEN), and longer words are not stemmed. In UTF-8 bytes. */
const MAX_TOKEN_BYTES = 2046;
const MAX_STEMMED_BYTES = 1000;

/** The shortest token, in UTF-16 code units, that may have too many bytes for stemming. */
const MAYBE_LONG = 334;

/** Stems by token; longer tokens are seldom words. A stem depends on its token alone, so it is never stale. */
const CACHE_SIZE = 20_000;
const MAX_CACHED_LENGTH = 24;
const cache = new LRUCache<string, string>({ max: CACHE_SIZE });

/**
 * The terms of an English text, as near as can be to `to_tsvector('english', text)` of PostgreSQL 15: tokens in lower
 * case, words stemmed, stop words left out but counted, so that they leave a gap in the positions. Words of other
 * scripts stay as they are. Any string will do; the time is linear in its length.
 */
export function analyse(text: string): Term[] {
  const terms: Term[] = [];
  for (const [index, term] of termsByPosition(text).entries())
    if (term !== "") terms.push({ term, position: index + 1 });
  return terms;
}

/** The same as a list of the terms from position 1 on, with "" where a stop word was. */
export function termsByPosition(text: string): string[] {
  const terms: string[] = [];
  tokenise(text, (start, end, isWord) => {
    const token = text.slice(start, end);
    if (!isTooLong(token, MAX_TOKEN_BYTES)) terms.push(isWord ? wordTerm(token) : lowerCase(token));
  });
  return terms;
}

/** The stem, or "" for a stop word. */
function wordTerm(token: string): string {
  const known = cache.get(token);
  if (known !== undefined) return known;
  const term = stemmed(lowerCase(token));
  if (token.length <= MAX_CACHED_LENGTH) cache.set(token, term);
  return term;
}

function stemmed(word: string): string {
  if (STOP_WORDS.has(word)) return "";
  return isTooLong(word, MAX_STEMMED_BYTES) ? word : stem(word);
}

function isTooLong(token: string, bytes: number): boolean {
  return token.length >= MAYBE_LONG && Buffer.byteLength(token) > bytes;
}
