export { indexText, matchAllWords, matchExpression } from "./fts5.js";
export { plainWords, searchableText } from "./searchable-text.js";
export { matches } from "./terms.js";
