/** Converts a schema of an older draft, and all schemas to which it refers, into one 2020-12 document. */
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import draft7 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };
import { ANNOTATION_KEYWORDS, DEFINITION_KEYWORDS } from "../annotations.js";
import { FORMATS } from "../formats/index.js";
import { KEYWORDS } from "../keywords.js";
import { DIALECT, validateAgainstMetaSchema } from "../meta-schema.js";
import { formatValue, isObject, type JsonObject, type JsonSchema, pointerStep } from "../values.js";
import { conditionsOf, type EquivalentPatterns, equivalentPatterns, matches } from "./patterns.js";
import {
  type Dialect,
  type Place,
  RECURSIVE_ANCHOR,
  type SourceDocuments,
  stepsOf,
  valueAt,
} from "./source-documents.js";

/** How a change affects the set of valid payloads. */
export type Effect = "none" | "looser" | "stricter";

/** Keywords that only name schemas. References become JSON Pointers, so these names are no longer needed. */
const NAMES: ReadonlySet<string> = new Set([
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"],
  ...DEFINITION_KEYWORDS,
]);

/** Maps each keyword to the first draft that defines it. All other keywords are already in draft 4. */
const SINCE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    6: ["const", "contains", "propertyNames"],
    7: ["if", "then", "else"],
    2019: [
      ...["dependentRequired", "dependentSchemas", "minContains", "maxContains"],
      ...["unevaluatedItems", "unevaluatedProperties"],
    ],
    2020: ["prefixItems", "$dynamicRef"],
  }).flatMap(([draft, keywords]) => keywords.map((keyword) => [keyword, Number(draft)])),
);

/** Maps each keyword that has no effect alone to the keyword that it needs. */
const NEEDS: ReadonlyMap<string, string> = new Map([
  ["then", "if"],
  ["else", "if"],
  ["minContains", "contains"],
  ["maxContains", "contains"],
]);

/** Formats that every string satisfies. */
const EMPTY_FORMATS: readonly string[] = ["binary", "password"];

/** Maps a pattern to patterns that together match exactly the strings that it does not match. */
const COMPLEMENTS: Readonly<Record<string, readonly string[]>> = {
  "^": [],
  "^.*": [],
  "^.*$": ["[\\n\\r\\u2028\\u2029]"],
  "^.+$": ["^$", "[\\n\\r\\u2028\\u2029]"],
  "^.+": ["^(?:$|[\\n\\r\\u2028\\u2029])"],
};

export interface LoadedDocument {
  /** The document's name in messages. */
  name: string;
  root: unknown;
}

const META_SCHEMAS: ReadonlyMap<string, LoadedDocument> = new Map([
  ["http://json-schema.org/draft-06/schema", { name: "draft-06.json", root: draft6 }],
  ["http://json-schema.org/draft-07/schema", { name: "draft-07.json", root: draft7 }],
]);

export interface Unresolved {
  reference: string;
  place: Place;
  /** The missing URI. Undefined if the document exists but lacks the schema. */
  missing: string | undefined;
}

interface PendingReference {
  schema: JsonObject;
  place: Place;
  keyword: string;
  reference: string;
}

interface Conversion {
  schema: JsonObject;
  place: Place;
  dialect: Dialect;
  /** JSON Pointer to the converted schema in the new document. */
  out: string;
  result: JsonObject;
  conditions: JsonSchema[];
}

export class Importer {
  readonly unresolved: Unresolved[] = [];
  readonly #definitions: JsonObject = Object.create(null);
  readonly #converted = new Map<string, string>();
  readonly #references: PendingReference[] = [];

  constructor(
    private readonly documents: SourceDocuments,
    private readonly load: (uri: string) => Promise<LoadedDocument | undefined>,
    private readonly report: (effect: Effect, text: string, place: Place) => void,
  ) {}

  async import(entry: Place): Promise<JsonObject> {
    if (!isSchema(valueAt(entry)))
      this.unresolved.push({ reference: `#${entry.pointer}`, place: entry, missing: undefined });
    const root = this.#convert(entry, "");
    for (const { schema, place, reference } of this.#references) {
      const target = await this.#resolve(place, reference);
      if (target) schema.$ref = `#${encodeURI(this.#locationOf(target)).replaceAll("#", "%23")}`;
    }
    for (const reference of this.#references) this.#reportDynamic(reference);
    for (const keyword of DEFINITION_KEYWORDS) this.#reportUnused(keyword, entry);
    const schema = typeof root === "boolean" ? { ...(!root && { not: {} }) } : root;
    const hasDefinitions = Object.keys(this.#definitions).length > 0;
    return { $schema: DIALECT, ...schema, ...(hasDefinitions && { $defs: this.#definitions }) };
  }

  #reportUnused(keyword: string, entry: Place): void {
    const definitions = Object(valueAt(entry))[keyword];
    for (const name of Object.keys(Object(definitions))) {
      const place = { ...entry, pointer: entry.pointer + pointerStep(keyword) + pointerStep(name) };
      if (!this.#converted.has(keyOf(place)))
        this.report("none", "left out, because nothing refers to it", place);
    }
  }

  async #resolve(place: Place, reference: string): Promise<Place | undefined> {
    const found = this.documents.resolve(place, reference);
    let missing: string | undefined;
    if (!("missing" in found)) {
      if (isSchema(valueAt(found))) return found;
    } else if (URL.canParse(found.missing) && !found.missing.includes("#")) {
      missing = found.missing;
      const loaded = META_SCHEMAS.get(missing) ?? (await this.load(missing));
      if (loaded) {
        this.documents.add(missing, loaded.name, loaded.root);
        this.report("none", `${loaded.name} is included as ${missing}`, place);
        return this.#resolve(place, reference);
      }
    }
    this.unresolved.push({ reference, place, missing });
    return undefined;
  }

  #locationOf(place: Place): string {
    const known = this.#converted.get(keyOf(place));
    if (known !== undefined) return known;
    // If the schema is inside a definition, convert the whole definition first.
    const definition = /^.*\/(?:definitions|\$defs)\/[^/]+(?=\/)/.exec(place.pointer)?.[0];
    if (definition !== undefined && isObject(valueAt({ ...place, pointer: definition }))) {
      this.#locationOf({ ...place, pointer: definition });
      const inside = this.#converted.get(keyOf(place));
      if (inside !== undefined) return inside;
    }
    const name = this.#freeName(place);
    const location = `/$defs/${name}`;
    this.#definitions[name] = {};
    this.#definitions[name] = this.#convert(place, location);
    return location;
  }

  #freeName({ pointer, document }: Place): string {
    const last = stepsOf(pointer).at(-1) ?? document.name.replace(/^.*\/|\.[^./]*$/g, "");
    const name = last.replace(/[^A-Za-z0-9._-]+/g, "_") || "schema";
    let free = name;
    for (let n = 2; Object.hasOwn(this.#definitions, free); n++) free = `${name}-${n}`;
    return free;
  }

  #convert(place: Place, out: string): JsonSchema {
    this.#converted.set(keyOf(place), out);
    const schema = valueAt(place);
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema)) {
      this.report("looser", `not a schema, but ${formatValue(schema)}`, place);
      return true;
    }
    const { dialect } = this.documents.contextAt(place);
    const conversion: Conversion = { schema, place, dialect, out, result: {}, conditions: [] };
    for (const keyword of Object.keys(schema))
      if (this.#isKept(keyword, conversion)) this.#convertKeyword(keyword, conversion);
    const { result, conditions } = conversion;
    if (conditions.length > 0) result.allOf = [...((result.allOf as JsonSchema[]) ?? []), ...conditions];
    return result;
  }

  #isKept(keyword: string, { schema, place, dialect }: Conversion): boolean {
    const drop = (effect: Effect, text: string) => {
      this.report(effect, text, place);
      return false;
    };
    const value = schema[keyword];
    if (keyword === "definitions") this.report("none", '"definitions" is "$defs"', place);
    if (NAMES.has(keyword) || (keyword === "id" && dialect.version === 4)) return false;
    if (!isDefined(keyword, dialect))
      return drop("none", `"${keyword}" is left out, because ${dialect.name} does not define it`);
    const isAnnotation = ANNOTATION_KEYWORDS.has(keyword);
    const needed = NEEDS.get(keyword);
    if (needed && !Object.hasOwn(schema, needed))
      return drop("none", `"${keyword}" is left out, because it has no effect without "${needed}"`);
    if (!isValidKeyword(keyword, value))
      return drop(
        isAnnotation ? "none" : "looser",
        `"${keyword}" with the invalid value ${formatValue(value)}`,
      );
    const isSibling = dialect.version <= 7 && typeof schema.$ref === "string" && keyword !== "$ref";
    if (
      !isAnnotation &&
      keyword !== "nullable" &&
      (isSibling || (SINCE.get(keyword) ?? 0) > dialect.version)
    ) {
      const where = isSibling ? ' beside "$ref"' : "";
      this.report("stricter", `"${keyword}"${where}, which ${dialect.name} ignores`, place);
    }
    // Since 2020-12, `unevaluatedItems` skips the items that `contains` matches.
    if (keyword === "unevaluatedItems" && dialect.version === 2019 && uses("contains", place))
      this.report("looser", '"unevaluatedItems" for items that "contains" matches', place);
    return true;
  }

  #convertKeyword(keyword: string, conversion: Conversion): void {
    const { schema, result } = conversion;
    const value = schema[keyword];
    switch (keyword) {
      case "$ref":
      case "$dynamicRef":
      case "$recursiveRef":
        this.#convertReference(value as string, keyword, conversion);
        break;
      case "if":
        result.if = this.#child(conversion, ["if"]);
        // Even alone, `if` affects `unevaluatedProperties` and `unevaluatedItems`. Add an `else`, because
        // the service rejects an `if` without `then` or `else`.
        if (schema.then === undefined && schema.else === undefined) result.else = true;
        break;
      case "type":
      case "nullable":
        this.#convertType(conversion);
        break;
      case "minimum":
      case "exclusiveMinimum":
        this.#convertLimit("minimum", "exclusiveMinimum", conversion);
        break;
      case "maximum":
      case "exclusiveMaximum":
        this.#convertLimit("maximum", "exclusiveMaximum", conversion);
        break;
      case "items":
      case "additionalItems":
        this.#convertItems(conversion);
        break;
      case "dependencies":
        this.#convertDependencies(value as JsonObject, conversion);
        break;
      case "format":
        this.#convertFormat(value as string, conversion);
        break;
      case "pattern":
        this.#convertPattern(value as string, conversion);
        break;
      case "patternProperties":
        this.#convertPatternProperties(value as JsonObject, conversion);
        break;
      default:
        // `#convertPatternProperties` may already have set `additionalProperties`.
        if (!Object.hasOwn(result, keyword)) result[keyword] = this.#convertValue(keyword, conversion);
    }
  }

  #convertType({ schema: { type, nullable }, place, result }: Conversion): void {
    if (type !== undefined && isValidKeyword("type", type))
      result.type = nullable === true ? [...new Set([type, "null"].flat())] : type;
    if (nullable !== true) return;
    const change = type === undefined ? "has no effect without" : 'is "null" in';
    this.report("none", `"nullable" ${change} "type"`, place);
  }

  #convertLimit(
    inclusive: "minimum" | "maximum",
    exclusive: "exclusiveMinimum" | "exclusiveMaximum",
    { schema, place, result }: Conversion,
  ): void {
    const { [inclusive]: limit, [exclusive]: bound } = schema;
    if (typeof bound === "boolean")
      this.report("none", `"${exclusive}" is a number instead of a boolean`, place);
    else if (typeof bound === "number") result[exclusive] = bound;
    if (typeof limit === "number") result[bound === true ? exclusive : inclusive] = limit;
  }

  #convertItems(conversion: Conversion): void {
    const { schema, place, result } = conversion;
    const { items, additionalItems } = schema;
    if (!Array.isArray(items)) {
      if (items !== undefined) result.items ??= this.#child(conversion, ["items"]);
      return;
    }
    if (Object.hasOwn(result, "prefixItems")) return;
    this.report("none", '"items" with a list is "prefixItems", and "additionalItems" is "items"', place);
    if (items.length > 0)
      result.prefixItems = items.map((_, n) => this.#child(conversion, ["items", n], ["prefixItems", n]));
    if (additionalItems !== undefined) result.items = this.#child(conversion, ["additionalItems"], ["items"]);
  }

  #convertValue(keyword: string, conversion: Conversion): unknown {
    const value = conversion.schema[keyword];
    switch (KEYWORDS.get(keyword)) {
      case "schema":
        return this.#child(conversion, [keyword]);
      case "schemas":
        return (value as unknown[]).map((_, index) => this.#child(conversion, [keyword, index]));
      case "schemaMap":
        return mapObject(value as JsonObject, (name) => this.#child(conversion, [keyword, name]));
      default:
        return value;
    }
  }

  #child(
    { place, out }: Conversion,
    source: readonly (string | number)[],
    target: readonly (string | number)[] = source,
  ): JsonSchema {
    const below = (pointer: string, steps: readonly (string | number)[]) =>
      pointer + steps.map(pointerStep).join("");
    return this.#convert({ ...place, pointer: below(place.pointer, source) }, below(out, target));
  }

  #convertReference(reference: string, keyword: string, { place, result, conditions }: Conversion): void {
    const schema: JsonObject = Object.hasOwn(result, "$ref") ? {} : result;
    if (schema !== result) conditions.push(schema);
    schema.$ref = reference;
    this.#references.push({ schema, place, keyword, reference });
  }

  /** Reports a dynamic reference that became static. Call this method after all documents are loaded. */
  #reportDynamic({ place, keyword, reference }: PendingReference): void {
    if (keyword === "$ref") return;
    const anchor = keyword === "$recursiveRef" ? RECURSIVE_ANCHOR : reference.replace(/^.*#/, "");
    if (this.documents.isOverridden(anchor))
      this.report("looser", `what other documents add to the schema of "${keyword}"`, place);
    else this.report("none", `"${keyword}" is "$ref"`, place);
  }

  #convertDependencies(value: JsonObject, conversion: Conversion): void {
    const { schema, dialect, place, result } = conversion;
    if (dialect.version >= 2019)
      this.report("stricter", `"dependencies", which ${dialect.name} ignores`, place);
    if (schema.dependentRequired !== undefined || schema.dependentSchemas !== undefined) {
      // Keep `dependencies`, which the service supports. If it were split into `dependentRequired` and
      // `dependentSchemas`, it could conflict with their existing entries.
      const keep = (name: string) =>
        Array.isArray(value[name]) ? value[name] : this.#child(conversion, ["dependencies", name]);
      result.dependencies = mapObject(value, keep);
      return;
    }
    this.report("none", '"dependencies" is "dependentRequired" and "dependentSchemas"', place);
    const lists: JsonObject = Object.create(null);
    const schemas: JsonObject = Object.create(null);
    for (const [name, needs] of Object.entries(value)) {
      if (Array.isArray(needs)) lists[name] = needs;
      else schemas[name] = this.#child(conversion, ["dependencies", name], ["dependentSchemas", name]);
    }
    for (const [keyword, found] of Object.entries({ dependentRequired: lists, dependentSchemas: schemas }))
      if (Object.keys(found).length > 0) result[keyword] = found;
  }

  #convertFormat(format: string, { place, result }: Conversion): void {
    const isKnown = FORMATS.has(format);
    if (isKnown) result.format = format;
    if (!EMPTY_FORMATS.includes(format))
      this.report(isKnown ? "stricter" : "looser", `the format "${format}"`, place);
  }

  #convertPattern(pattern: string, { place, result, conditions }: Conversion): void {
    const found = equivalentPatterns(pattern);
    if (!found) {
      this.report("looser", `the pattern ${formatValue(pattern)}`, place);
      return;
    }
    const [first, ...others] = conditionsOf(found);
    Object.assign(result, first);
    conditions.push(...others);
    if (result.pattern !== pattern)
      this.report("none", `the pattern ${formatValue(pattern)} is rewritten`, place);
  }

  #convertPatternProperties(value: JsonObject, conversion: Conversion): void {
    const { schema, place, result } = conversion;
    const kept: JsonObject = Object.create(null);
    for (const name of Object.keys(value)) {
      const found = equivalentPatterns(name);
      const only = found?.none.length === 0 && found.all.length === 1 ? found.all[0] : undefined;
      if (only !== undefined && !Object.hasOwn(kept, only)) {
        kept[only] = this.#child(conversion, ["patternProperties", name], ["patternProperties", only]);
      } else if (!found || !this.#convertExcluding(found, name, conversion)) {
        this.report("looser", `the properties with names of the pattern ${formatValue(name)}`, place);
        if (!isTrue(schema.additionalProperties)) this.report("looser", '"additionalProperties"', place);
        result.additionalProperties = true;
        continue;
      }
      if (only !== name) this.report("none", `the pattern ${formatValue(name)} is rewritten`, place);
    }
    if (Object.keys(kept).length > 0) result.patternProperties = kept;
  }

  /**
   * Converts an entry of `patternProperties` whose pattern excludes names, such as `"^(?!x).*": S`. Returns
   * false if no equivalent is known.
   */
  #convertExcluding(names: EquivalentPatterns, entry: string, conversion: Conversion): boolean {
    const { schema, place, conditions, result } = conversion;
    const { additionalProperties, patternProperties, properties = {}, allOf } = schema;
    const source = ["patternProperties", entry];
    const excluded = names.all.length === 1 ? COMPLEMENTS[names.all[0]!] : undefined;
    if (excluded && isTrue(additionalProperties) && !uses("unevaluatedProperties", place)) {
      // Add a condition that lists the excluded names. Its `additionalProperties` applies to all other names.
      const known = Object.fromEntries([...names.none, ...excluded].map((pattern) => [pattern, true]));
      const index = conditions.length + (Array.isArray(allOf) ? allOf.length : 0);
      const condition: JsonObject = { patternProperties: known };
      conditions.push(condition);
      condition.additionalProperties = this.#child(conversion, source, [
        "allOf",
        index,
        "additionalProperties",
      ]);
      return true;
    }
    const listed = Object.keys(properties as object);
    const isOnly = Object.keys(patternProperties as object).length === 1;
    if (additionalProperties !== false || !isOnly || listed.some((name) => matches(names, name)))
      return false;
    // Allow only the listed names and names that match the pattern. Then `additionalProperties` applies only
    // to names that match the pattern.
    const allowed = { allOf: conditionsOf(names) };
    conditions.push({ propertyNames: listed.length > 0 ? { anyOf: [{ enum: listed }, allowed] } : allowed });
    result.additionalProperties = this.#child(conversion, source, ["additionalProperties"]);
    return true;
  }
}

const keyOf = ({ document, pointer }: Place) => `${document.uri}#${pointer}`;

const isSchema = (value: unknown) => typeof value === "boolean" || isObject(value);

const isTrue = (value: unknown) => value === undefined || value === true;

const uses = (keyword: string, { document }: Place) => JSON.stringify(document.root).includes(`"${keyword}"`);

function isDefined(keyword: string, { version, hasNullable }: Dialect): boolean {
  if (keyword === "nullable") return hasNullable === true;
  if (keyword === "$recursiveRef") return version === 2019;
  if (keyword === "additionalItems") return version < 2020 || hasNullable === true;
  return KEYWORDS.has(keyword);
}

function isValidKeyword(keyword: string, value: unknown): boolean {
  if (keyword === "nullable" || keyword === "$recursiveRef" || keyword === "additionalItems") return true;
  if (keyword.startsWith("exclusive") && typeof value === "boolean") return true;
  switch (KEYWORDS.get(keyword)) {
    case "schema":
      return true;
    case "schemas":
      return Array.isArray(value) && value.length > 0;
    case "schemaMap":
    case "dependencies":
      return isObject(value);
    default:
      return validateAgainstMetaSchema({ [keyword]: value }).length === 0;
  }
}

function mapObject(object: JsonObject, change: (key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.keys(object).map((key) => [key, change(key)]));
}
