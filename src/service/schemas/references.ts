/** Resolves the references within a schema document, for the command `wireroom schema types`. */
import { SchemaDocument, type Subschema } from "../../domain/json-schema/document.js";
import type { JsonObject } from "../../domain/json-schema/index.js";

/** Returns the schema that a reference in `from` names, or undefined if the document contains none. */
export type Resolve = (from: object, reference: string) => Subschema | undefined;

export function referencesIn(document: JsonObject): Resolve {
  const index = new SchemaDocument(document);
  const places = new Map([...index.subschemas.values()].map((place) => [place.schema, place]));
  return (from, reference) => {
    const place = places.get(from as JsonObject);
    return place && index.resolve(place, reference)?.subschema;
  };
}
