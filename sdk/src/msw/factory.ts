/** Makes `msw` request handlers of operations. */
import { type HttpHandler, HttpResponse, http, type RequestHandlerOptions } from "msw";
import { REFUSALS } from "../generated/mocks.js";
import type { ErrorEnvelope } from "../generated/shapes.js";
import type { CatalogueEntry, CatalogueField } from "../runtime/catalogue.js";

type ErrorCode = keyof typeof REFUSALS;

/** One call of a mocked operation. */
export interface MockedCall<Input, Code extends ErrorCode> {
  /** The fields of the path, the query and the body, as the client got them from its caller. */
  readonly input: Input;
  readonly request: Request;
  /** The number of calls that this handler has answered, including this one. */
  readonly count: number;
  /**
   * Returns an error response with the status of the code. The message describes the code, unless `fields`
   * has one.
   *
   * @example error("RATE_LIMITED", { retry_after: 1 })
   */
  error(code: Code, fields?: Partial<Omit<ErrorEnvelope, "code">>): Response;
}

/**
 * The answer of a handler: the output, or any response. Fields that the output lacks come from the example of
 * the contract. `undefined` means the whole example.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only notes the call returns nothing
export type Answer<Output> = (Output extends readonly unknown[] ? Output : Partial<Output>) | Response | void;

/**
 * Makes a request handler for `setupServer(…)` or `server.use(…)`, on any origin.
 *
 * @param answer the answer, or a function that returns one
 * @param options `{ once: true }` for a handler that answers one request alone
 */
export interface HandlerFactory<Input, Output, Code extends ErrorCode> {
  (
    answer?: Answer<Output> | ((call: MockedCall<Input, Code>) => Answer<Output> | Promise<Answer<Output>>),
    options?: RequestHandlerOptions,
  ): HttpHandler;
  /** The example of the contract: the output of a handler without an answer. */
  readonly example: Output;
}

const METHODS = { GET: http.get, POST: http.post, PUT: http.put, DELETE: http.delete };

/** Returns the factory of an operation. */
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

/** A held call answers 202 (docs/specification/agent-operations.md#post-wires). */
function respond(output: object, status: number): Response {
  return HttpResponse.json(output, { status: "status" in output && output.status === "held" ? 202 : status });
}

function linesOf(lines: readonly unknown[]): Response {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return new HttpResponse(text, { headers: { "content-type": "application/x-ndjson" } });
}

/**
 * Returns the flat input of the call. Values of the query are strings on the wire, and get the types of the
 * contract.
 */
async function inputOf(
  { fields }: CatalogueEntry,
  request: Request,
  params: Record<string, unknown>,
): Promise<object> {
  // "0" is what the `*` of the path matched.
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
