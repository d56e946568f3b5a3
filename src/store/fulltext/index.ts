export { scopedTerms, termsOf } from "./fts5.js";
export { RANKED_MATCHES } from "./fts5-table.js";
export {
  type Document,
  enqueueMissingWires,
  enqueueReplacement,
  enqueueTerms,
  insertTerms,
  type Table,
} from "./insert-terms.js";
export { messagesScope, spaceScope, type WirePlace, wireTerms } from "./scopes.js";
export { searchableText, searchableTextOf } from "./searchable-text.js";
export { BEST_FIRST, type ScopeSearch, type Search, searchFor, searchForAllWords } from "./searches.js";
export { matcher } from "./terms.js";
export { TOKENS_VERSION } from "./terms-table.js";
export { analyseInTurns } from "./text-turns.js";
