import { createRequire } from "node:module";
import { compileSchema } from "./compile.js";
import type { JsonObject } from "./values.js";

/** The identity of the one dialect that is accepted. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

type Loaded = JsonObject & { properties: Record<string, JsonObject> };

const require = createRequire(import.meta.url);
const load = (name: string) =>
  structuredClone(require(`ajv/dist/refs/json-schema-2020-12/${name}.json`)) as Loaded;

let compiled: ReturnType<typeof compileSchema> | undefined;

/** Validates a document against the meta-schema of draft 2020-12: the published files, as one compound document. */
export const validateAgainstMetaSchema: ReturnType<typeof compileSchema> = (document) => {
  compiled ??= compileSchema(bundle());
  return compiled(document);
};

function bundle(): JsonObject {
  const parts = [
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format-annotation",
    "content",
  ];
  const vocabularies = Object.fromEntries(parts.map((name) => [name, load(`meta/${name}`)]));
  // What is wrong with a pattern is said better, and with what would be right, by the regex folder.
  delete vocabularies.validation?.properties.pattern?.format;
  delete vocabularies.applicator?.properties.patternProperties?.propertyNames;
  return { ...load("schema"), $defs: vocabularies };
}
