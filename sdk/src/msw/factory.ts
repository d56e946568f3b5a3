/** Creates `msw` request handlers for operations. */
import { type HttpHandler, HttpResponse, http } from "msw";
import type { ErrorCode } from "../generated/errors.js";
import { REFUSALS } from "../generated/mocks.js";
import type { ErrorEnvelope } from "../generated/shapes.js";
import type { CatalogueEntry, CatalogueField } from "../runtime/catalogue.js";
import type { HandlerFactory } from "./types.js";

const METHODS = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete };

export function handlerFactory(
  operation: CatalogueEntry,
  status: number,
  example: object,
): HandlerFactory<object, object, ErrorCode> {
  const path = `*/v1${operation.path.replace(/\{(\w+)\}/g, ":$1")}`;
  const create: (...args: Parameters<HandlerFactory<object, object, ErrorCode>>) => HttpHandler = (
    answer,
    options,
  ) => {
    let count = 0;
    return METHODS[operation.method](
      path,
      async ({ request, params }) => {
        count++;
        const input = await inputOf(operation, request, params);
        const given = typeof answer === "function" ? await answer({ input, request, count, error }) : answer;
        if (given instanceof Response) return given;
        const output = Array.isArray(example) ? (given ?? example) : { ...example, ...given };
        return operation.lines ? linesOf(output as unknown[]) : respond(output, status);
      },
      options,
    );
  };
  return Object.assign(create, { example });
}

function error(code: ErrorCode, fields: Partial<ErrorEnvelope> = {}): Response {
  const { status, condition } = REFUSALS[code];
  const retryAfter = fields.retry_after;
  return HttpResponse.json(
    { code, message: condition, ...fields },
    { status, ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }) },
  );
}

/** Responds with 202 if a wire or knock is held (docs/specification/agent-operations.md#post-wires). */
function respond(output: object, status: number): Response {
  return HttpResponse.json(output, { status: "status" in output && output.status === "held" ? 202 : status });
}

function linesOf(lines: readonly unknown[]): Response {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return new HttpResponse(text, { headers: { "content-type": "application/x-ndjson" } });
}

/**
 * Returns the path, query and body fields as one object. Converts query values, which are strings, to the
 * contract's types.
 */
async function inputOf(
  { fields }: CatalogueEntry,
  request: Request,
  params: Record<string, unknown>,
): Promise<object> {
  // `msw` stores the text that `*` matched under "0". The text is the origin, not a field, so drop it.
  const { 0: _origin, ...input } = params;
  for (const [name, text] of new URL(request.url).searchParams) {
    const field = fields[name];
    input[name] = field && isNumeric(field) ? Number(text) : text;
  }
  const body = await request.clone().text();
  return body === "" ? input : { ...input, ...(JSON.parse(body) as object) };
}

function isNumeric({ type }: CatalogueField): boolean {
  return [type].flat().some((each) => each === "integer" || each === "number");
}
