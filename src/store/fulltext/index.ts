export { indexText } from "./fts5.js";
export { plainWords, searchableText } from "./searchable-text.js";
export { searchFor, searchForAllWords } from "./searches.js";
export { enqueueTerms, storeTerms } from "./store-terms.js";
export { createSearchTable, RANKED_MATCHES } from "./table.js";
export { matcher } from "./terms.js";
export { createTermsTable } from "./terms-table.js";
