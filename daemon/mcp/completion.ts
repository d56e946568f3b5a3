/** Completes arguments of prompts and resources (docs/specification/agent-operations.md#completion). */
import { type OperationId, operation } from "../../src/contract/index.js";
import type { Operation } from "../../src/contract/operation.js";
import { mcpPrompts } from "../../src/generate/mcp/prompts.js";
import { mcpResources } from "../../src/generate/mcp/resources.js";
import { jsonToString } from "../../src/kernel/raw-json.js";
import type { Completion, CompletionRequest } from "./catalog.js";
import type { McpExchange } from "./exchange.js";
import { INVALID_PARAMS, RpcError, toRpcError } from "./rpc-error.js";

/**
 * A list operation that finds an argument's completions. Each entry of the page's array `list` has a
 * completion in its field `value`.
 */
interface Source {
  operation: OperationId;
  list: string;
  value: string;
}

/**
 * The operation that finds each argument's completions. Ids have no completions, because nobody knows an id's
 * first characters.
 */
const SOURCES: Readonly<Record<string, Source>> = {
  slug: { operation: "spaces.list", list: "spaces", value: "slug" },
  handle: { operation: "contacts.list", list: "contacts", value: "handle" },
};

const NOTHING: Completion = { values: [], hasMore: false };
const PAGE_SIZE = 100;
/** Clients send a request for each typed character, so a request must not search many pages. */
const MAX_PAGES = 5;

/** Returns the caller's spaces or contacts that begin with the typed text. */
export async function complete(
  { ref, argument }: CompletionRequest,
  exchange: McpExchange,
): Promise<Completion> {
  if (!argumentsOf(ref).includes(argument.name)) {
    throw new RpcError(INVALID_PARAMS, "there is no such prompt, resource template or argument");
  }
  const source = SOURCES[argument.name];
  if (!source) return NOTHING;
  const [, sign, prefix] = /^([@#]?)(.*)$/s.exec(argument.value.toLowerCase()) as unknown as string[];
  const values: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { entries, next } = await readPage(source, cursor, exchange);
    values.push(...entries.filter((entry) => entry.startsWith(prefix!)).map((entry) => sign + entry));
    if (next === null || values.length > PAGE_SIZE) return { values, hasMore: next !== null };
    cursor = next;
  }
  return { values, hasMore: true };
}

function argumentsOf(ref: CompletionRequest["ref"]): readonly string[] {
  if (ref.type === "ref/resource") {
    return mcpResources.find(({ definition }) => definition.uriTemplate === ref.uri)?.inPath ?? [];
  }
  const prompt = mcpPrompts.find(({ definition }) => definition.name === ref.name);
  return prompt?.definition.arguments.map(({ name }) => name) ?? [];
}

async function readPage(source: Source, cursor: string | undefined, exchange: McpExchange) {
  const input = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
  const output = await exchange.run(
    operation(source.operation) as Operation,
    { input },
    { name: "completion", copies: 0 },
  );
  if ("error" in output) throw toRpcError(output.error);
  const page = JSON.parse(jsonToString(output.body)) as Record<string, Record<string, string>[]>;
  const entries = page[source.list]!.map((entry) => entry[source.value]!);
  return { entries, next: page.next_cursor as unknown as string | null };
}
