/** Reads a daemon's operations from its OpenAPI document. A newer daemon may know more than this CLI. */
import type { CatalogueEntry, CatalogueField } from "../../../sdk/src/operations.js";

interface Schema {
  $ref?: string;
  type?: CatalogueField["type"];
  enum?: readonly string[];
  items?: Schema;
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: readonly object[];
  parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  responses?: Record<string, { content?: Record<string, unknown> }>;
  requestBody?: { content: { "application/json"?: { schema: Schema } } };
}

interface OpenApiDocument {
  paths?: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

const METHODS = ["get", "post", "put", "delete"] as const;
/** Timeout for loading the API document. After it, only this CLI's own operations are available. */
const TIMEOUT_MS = 3_000;

export async function fetchOperations(baseUrl: string): Promise<readonly CatalogueEntry[]> {
  try {
    const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? entriesOf((await response.json()) as OpenApiDocument) : [];
  } catch {
    return [];
  }
}

function entriesOf({ paths = {}, components }: OpenApiDocument): CatalogueEntry[] {
  const resolve = (schema: Schema): Schema => {
    const named = components?.schemas?.[schema.$ref?.split("/").at(-1) ?? ""];
    return named ? { ...named, ...schema } : schema;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      return described?.operationId ? [entryOf(path, method, described, resolve)] : [];
    }),
  );
}

function entryOf(
  path: string,
  method: (typeof METHODS)[number],
  described: OpenApiOperation,
  resolve: (schema: Schema) => Schema,
): CatalogueEntry {
  const {
    operationId,
    summary = "",
    description,
    security,
    parameters = [],
    responses,
    requestBody,
  } = described;
  const body = resolve(requestBody?.content["application/json"]?.schema ?? {});
  const fields: Record<string, CatalogueField> = {};
  for (const { name, in: place, required = false, schema, ...parameter } of parameters) {
    if (place === "path" || place === "query")
      fields[name] = fieldOf(place, required, { ...parameter, ...resolve(schema) });
  }
  for (const [name, schema] of Object.entries(body.properties ?? {}))
    fields[name] = fieldOf("body", body.required?.includes(name) ?? false, resolve(schema));
  const inQuery = Object.keys(fields).filter((name) => fields[name]!.place === "query");
  const isRepeatable = parameters.some(({ name }) => name.toLowerCase() === "idempotency-key");
  return {
    id: operationId!,
    method: method.toUpperCase() as CatalogueEntry["method"],
    path,
    ...(method === "post" && !isRepeatable && { once: true }),
    ...(method !== "post" && isRepeatable && { keyed: true }),
    ...(method !== "get" && inQuery.length > 0 && { query: inQuery }),
    ...((fields.wait || fields.wait_for_reply) && { held: true }),
    ...(responses?.[200]?.content?.["application/x-ndjson"] !== undefined && { lines: true }),
    auth: security?.some((scheme) => "idToken" in scheme) ? "token" : "key",
    summary,
    ...(description && { description }),
    fields,
  };
}

function fieldOf(
  place: CatalogueField["place"],
  required: boolean,
  { type, enum: values, items, description }: Schema,
): CatalogueField {
  return {
    place,
    required,
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(items && { items: typeof items.type === "string" ? { type: items.type } : {} }),
    ...(description && { description }),
  };
}
