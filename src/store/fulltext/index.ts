export { inScope, scopedTerms, termsOf } from "./fts5.js";
export { RANKED_MATCHES } from "./fts5-table.js";
export { enqueueTerms, insertTerms } from "./insert-terms.js";
export { searchableText, wordsOnly } from "./searchable-text.js";
export { BEST_FIRST, type ScopeSearch, type Search, searchFor, searchForAllWords } from "./searches.js";
export { matcher } from "./terms.js";
export { analyseInTurns } from "./text-turns.js";
