/** The MCP methods that serve a catalog. They are the same in all protocol revisions. */
import { WireroomError } from "../../src/contract/errors.js";
import type { Catalog, CompletionRequest, Result } from "./catalog.js";
import type { McpExchange } from "./exchange.js";
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError, toRpcError } from "./rpc-error.js";

type Params = Readonly<Record<string, unknown>>;
type Method = (catalog: Catalog, params: Params, exchange: McpExchange) => Promise<Result>;

/** The same for all callers: clients and proxies may cache it for an hour. */
const SAME_FOR_ALL = { ttlMs: 3_600_000, cacheScope: "public" };
/** The caller's own list: only the client may cache it, for a minute. */
const OWN_LIST = { ttlMs: 60_000, cacheScope: "private" };
/** May change at any time: nobody may cache it. */
const NOT_CACHEABLE = { ttlMs: 0, cacheScope: "private" };

/** Limit from protocol revision 2026-07-28, "Completion Results". */
const MAX_COMPLETIONS = 100;

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries<Method>({
    "tools/list": async ({ tools }, params) => onePage("tools", tools, params),
    "tools/call": (catalog, params, exchange) =>
      catalog.callTool(text(params, "name"), params.arguments, exchange),
    "resources/list": async (catalog, params, exchange) => ({
      ...(await catalog.listResources(cursorOf(params), exchange)),
      ...OWN_LIST,
    }),
    "resources/templates/list": async ({ resourceTemplates }, params) =>
      onePage("resourceTemplates", resourceTemplates, params),
    "resources/read": async (catalog, params, exchange) => ({
      contents: await catalog.readResource(text(params, "uri"), exchange),
      ...NOT_CACHEABLE,
    }),
    "prompts/list": async ({ prompts }, params) => onePage("prompts", prompts, params),
    "prompts/get": async (catalog, params, exchange) => {
      // `parseMessage` has replaced malformed arguments with their error.
      if (params.arguments instanceof WireroomError) throw params.arguments;
      return catalog.getPrompt(text(params, "name"), texts(params, "arguments"), exchange);
    },
    "completion/complete": async (catalog, params, exchange) => {
      const { values, hasMore } = await catalog.complete(completionRequest(params), exchange);
      const isCut = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), hasMore: hasMore || isCut } };
    },
  }),
);

export function isMethod(method: string): boolean {
  return METHODS.has(method);
}

export async function handleRequest(
  { method, params = {} }: { method: string; params?: Params | undefined },
  catalog: Catalog,
  exchange: McpExchange,
): Promise<Result> {
  const run = METHODS.get(method);
  if (!run) throw new RpcError(METHOD_NOT_FOUND, "Method not found");
  const { traceparent } = (params._meta ?? {}) as { traceparent?: unknown };
  if (typeof traceparent === "string") exchange.adoptTrace(traceparent);
  try {
    return await run(catalog, params, exchange);
  } catch (error) {
    throw error instanceof RpcError ? error : toRpcError(exchange.failed(error));
  }
}

function onePage(name: string, entries: readonly object[], params: Params): Result {
  if (cursorOf(params) === undefined) return { [name]: entries, ...SAME_FOR_ALL };
  throw invalidParams("the list has one page; leave out the cursor");
}

function cursorOf({ cursor }: Params): string | undefined {
  if (cursor === undefined || typeof cursor === "string") return cursor;
  throw invalidParams("params.cursor must be a string");
}

function completionRequest(params: Params): CompletionRequest {
  const ref = fields(params, "ref");
  const argument = fields(params, "argument");
  const request = { name: text(argument, "name"), value: text(argument, "value") };
  if (ref.type === "ref/prompt")
    return { ref: { type: ref.type, name: text(ref, "name") }, argument: request };
  if (ref.type === "ref/resource")
    return { ref: { type: ref.type, uri: text(ref, "uri") }, argument: request };
  throw invalidParams("params.ref.type must be ref/prompt or ref/resource");
}

function text(params: Params, name: string): string {
  const { [name]: value } = params;
  if (typeof value === "string") return value;
  throw invalidParams(`${name} must be a string`);
}

function fields(params: Params, name: string): Params {
  const { [name]: value } = params;
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Params;
  throw invalidParams(`params.${name} must be a JSON object`);
}

/** Throws if a value of the optional parameter `name` is not a string. */
function texts(params: Params, name: string): Readonly<Record<string, string>> {
  if (params[name] === undefined) return {};
  const values = fields(params, name);
  for (const key of Object.keys(values)) text(values, key);
  return values as Record<string, string>;
}

function invalidParams(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}
