import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json" with { type: "json" };
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json" with { type: "json" };
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json" with { type: "json" };
import formatAnnotation from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json" with {
  type: "json",
};
import metaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json" with { type: "json" };
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json" with { type: "json" };
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json" with { type: "json" };
import schema from "ajv/dist/refs/json-schema-2020-12/schema.json" with { type: "json" };
import { compileSchema } from "./compile.js";
import type { JsonObject } from "./values.js";

/** The `$schema` URI of draft 2020-12, the only supported dialect. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

type Loaded = JsonObject & { properties: Record<string, JsonObject> };

let compiled: ReturnType<typeof compileSchema> | undefined;

/**
 * Validates a document against the draft 2020-12 meta-schema, whose published files are bundled into one
 * document.
 */
export const validateAgainstMetaSchema: ReturnType<typeof compileSchema> = (document) => {
  compiled ??= compileSchema(bundle());
  return compiled(document);
};

function bundle(): JsonObject {
  const published: object = {
    core,
    applicator,
    unevaluated,
    validation,
    "meta-data": metaData,
    "format-annotation": formatAnnotation,
    content,
  };
  const vocabularies = structuredClone(published) as Record<string, Loaded>;
  // `linearRegExp` checks patterns instead, because its error messages are better.
  delete vocabularies.validation?.properties.pattern?.format;
  delete vocabularies.applicator?.properties.patternProperties?.propertyNames;
  return { ...structuredClone(schema), $defs: vocabularies };
}
