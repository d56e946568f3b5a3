export { indexText, type Match, matchAllWords, matchExpression } from "./fts5.js";
export { plainWords, SEARCHABLE_LENGTH, searchableText } from "./searchable-text.js";
export { createSearchTable, RANKED_MATCHES, searchStatement } from "./table.js";
export { matcher, matches } from "./terms.js";
