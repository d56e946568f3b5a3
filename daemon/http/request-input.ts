/** REST's projection of an operation's flat input: path, query and body. */
import type { ParsedUrlQuery } from "node:querystring";
import type { Context as KoaContext } from "koa";
import { invalid, type Reason } from "../../src/contract/errors.js";
import type { Field, Operation } from "../../src/contract/operation.js";

interface Parts {
  path: Readonly<Record<string, string>>;
  query: ParsedUrlQuery;
  body: Readonly<Record<string, unknown>>;
}

/** Makes the flat input of a request's parts. Throws VALIDATION_ERROR. */
export type Projection = (parts: Parts) => Record<string, unknown>;

/** How an operation's input is made: unknown query parameters are ignored, unknown body fields are a 400 (decisions, section 2). */
export function projection({ fields }: Operation): Projection {
  const inPath = Object.keys(fields).filter((name) => fields[name]!.place === "path");
  const inQuery = Object.entries(fields).filter(([, field]) => field.place === "query");
  return ({ path, query, body }) => {
    // Without a prototype, so that a field named `__proto__` is one more unknown field.
    const input = Object.create(null) as Record<string, unknown>;
    for (const name of inPath) input[name] = path[name];
    for (const [name, field] of inQuery) {
      const value = query[name];
      if (value !== undefined) input[name] = fromQuery(name, field, value);
    }
    for (const name of Object.keys(body)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field && field.place !== "body") throw invalid(misplaced(name, field));
      input[name] = body[name];
    }
    return input;
  };
}

/** What needs no decoding: as it stands in the URL, a name or value says what it means. */
const PLAIN = /^[\w.~=&,:@-]*$/;

/** The parameters of the query; those that need no decoding, as most, are spared it. */
export function queryOf(ctx: KoaContext): ParsedUrlQuery {
  const { querystring } = ctx;
  if (!PLAIN.test(querystring)) return ctx.query;
  const query = Object.create(null) as ParsedUrlQuery;
  for (const pair of querystring === "" ? [] : querystring.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = end < 0 ? pair : pair.slice(0, end);
    const value = end < 0 ? "" : pair.slice(end + 1);
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function misplaced(name: string, field: Field): Reason {
  const message = `unknown field ${JSON.stringify(name)}; it belongs into the ${field.place}`;
  return { instancePath: "", keyword: "additionalProperties", message };
}

/** The value of a parameter: repeated `tags` are equivalent to the comma-joined form, integers become numbers. */
function fromQuery(name: string, field: Field, value: string | string[]): unknown {
  if (Array.isArray(value)) {
    if (name === "tags") return value.join(",");
    throw invalid({ instancePath: `/${name}`, keyword: "query", message: `${name} must be given once` });
  }
  const { type } = field.schema as { type?: unknown };
  return type === "integer" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
