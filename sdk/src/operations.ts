/** The catalogue of operations: a part of its own, which weighs on nobody who calls the methods. */
export { OPERATIONS } from "./generated/operations.js";
export type { CatalogueEntry, CatalogueField, FieldType } from "./runtime/catalogue.js";
