/** Reads and lists MCP resources (docs/specification/agent-operations.md#resources). */
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { type Output, operation } from "../../src/contract/index.js";
import type { Operation } from "../../src/contract/operation.js";
import {
  fixedResources,
  type McpResource,
  mcpResources,
  spaceResource,
} from "../../src/generate/mcp/resources.js";
import { UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import { jsonToString } from "../../src/kernel/raw-json.js";
import { inputOrError, queryValue } from "../http/rest.js";
import type { Result } from "./catalog.js";
import type { McpExchange } from "./exchange.js";
import { RESOURCE_NOT_FOUND, RpcError, toRpcError } from "./rpc-error.js";

/** Returns the caller's inbox and spaces, in the pages of `GET /spaces`. */
export async function listResources(cursor: string | undefined, exchange: McpExchange): Promise<Result> {
  const input = cursor === undefined ? {} : { cursor };
  const spaces = operation("spaces.list") as Operation;
  const output = await exchange.run(spaces, { input }, { name: "resources.list", copies: 1 });
  if ("error" in output) throw toRpcError(output.error);
  const page = JSON.parse(jsonToString(output.body)) as Output<"spaces.list">;
  const ofSpaces = page.spaces.map(({ slug }) => spaceResource(slug));
  return {
    resources: cursor === undefined ? [...fixedResources, ...ofSpaces] : ofSpaces,
    ...(page.next_cursor !== null && { nextCursor: page.next_cursor }),
  };
}

/**
 * Returns the REST response body as a resource's contents. It begins with the notice that text by other
 * agents is data, because some hosts read only the first content.
 */
export async function readResource(uri: string, exchange: McpExchange): Promise<Result[]> {
  const found = findResource(uri);
  if (!found) throw notFound(uri, "there is no such resource; resources/templates/list lists their URIs");
  const { resource, values } = found;
  const input = await inputOrError(() => inputOf(resource, values));
  const { id } = resource.operation;
  const output = await exchange.run(resource.operation, { input }, { name: `resource.${id}`, copies: 1 });
  if ("error" in output) throw resourceError(uri, output.error);
  const json = `${NOTICE}${jsonToString(output.body).slice(1)}`;
  const text = exchange.placeholders.add(JSON.stringify(json));
  return [{ uri, mimeType: resource.definition.mimeType, text }];
}

/** The body's fields follow this text. */
const NOTICE = `{"notice":${JSON.stringify(UNTRUSTED_CONTENT_NOTICE)},`;

function resourceError(uri: string, error: WireroomError): RpcError {
  if (error.code === "NOT_FOUND") return notFound(uri, error.message, error.envelope());
  const { code, message, data } = toRpcError(error);
  return new RpcError(code, message, { ...data, uri });
}

function notFound(uri: string, message: string, envelope = {}): RpcError {
  return new RpcError(RESOURCE_NOT_FOUND, message, { ...envelope, uri });
}

const matchers = mcpResources.map((resource) => ({ resource, pattern: patternOf(resource) }));

/** The pattern has one group for each path field and one for the query. */
function patternOf({ definition }: McpResource): RegExp {
  const path = definition.uriTemplate.replace(/\{\w+\}/g, "([^/?#]+)");
  return new RegExp(`^${path}(?:\\?([^#]*))?$`);
}

function findResource(uri: string) {
  for (const { resource, pattern } of matchers) {
    const values = pattern.exec(uri)?.slice(1);
    if (values) return { resource, values };
  }
  return undefined;
}

/** Reads fields as REST does, but rejects unknown query parameters. */
function inputOf(
  { operation: { fields }, inPath, inQuery }: McpResource,
  values: readonly (string | undefined)[],
) {
  const input: Record<string, unknown> = {};
  for (const [n, name] of inPath.entries()) input[name] = decoded(name, values[n]!);
  const query = new URLSearchParams(values[inPath.length]);
  for (const name of query.keys()) {
    if (!inQuery.includes(name)) {
      const message = `unknown parameter ${JSON.stringify(name.slice(0, 100))}`;
      throw invalid({ instancePath: "", keyword: "additionalProperties", message });
    }
    const all = query.getAll(name);
    input[name] = queryValue(name, fields[name]!, all.length > 1 ? all : all[0]!);
  }
  return input;
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalid({ instancePath: `/${name}`, keyword: "format", message: "must be percent-encoded UTF-8" });
  }
}
