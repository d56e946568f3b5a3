/** Exports the catalogue of operations. It is a separate entry point because most programs do not need it. */
export { OPERATIONS } from "./generated/operations.js";
export type { CatalogueEntry, CatalogueField, FieldType } from "./runtime/catalogue.js";
