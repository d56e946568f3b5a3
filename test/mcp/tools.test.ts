import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Tiktoken } from "js-tiktoken/lite";
import o200kBase from "js-tiktoken/ranks/o200k_base";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { errorCodesOf } from "../../src/contract/operation.js";
import { INSTRUCTIONS, type McpTool, mcpTools, toolDefinitions } from "../../src/generate/mcp.js";

/** The tools in the overview of the specification. */
function documentedTools(): string[] {
  const page = resolve(import.meta.dirname, "../../docs/specification/agent-operations.md");
  const [overview = ""] = readFileSync(page, "utf8").split("## Overview").at(1)!.split("\n## ");
  return [...new Set([...overview.matchAll(/^\|.*\| `(\w+)`.*\|$/gm)].map(([, name]) => name!))];
}

/** Every agent pays for the list of tools with its context. */
const TOKEN_BUDGET = 6_000;

/** Errors of every tool. The server instructions explain them once. */
const COMMON = [
  ...["UNAUTHORIZED", "FORBIDDEN", "EGRESS_BLOCKED", "VALIDATION_ERROR", "RATE_LIMITED"],
  ...["INTERNAL", "UNAVAILABLE"],
];

function named(name: string): McpTool {
  return mcpTools.find(({ definition }) => definition.name === name)!;
}

function operationsOf({ operation, merged: folded }: McpTool) {
  return [operation, ...folded.map((other) => other.operation)];
}

describe("the list of tools", () => {
  // [D8-mcp-seventeen-tools]
  it("contains exactly the documented seventeen tools", () => {
    expect(toolDefinitions.map(({ name }) => name).sort()).toEqual(documentedTools().sort());
  });

  // [D8-mcp-token-budget]
  it("is smaller than 6,000 tokens, also as a tokenizer counts them", () => {
    // The encoding of OpenAI's models since GPT-4o.
    const tokenizer = new Tiktoken(o200kBase);
    /** The larger of the count of the tokenizer, and of the usual estimate. */
    const tokensOf = (value: unknown) => {
      const text = JSON.stringify(value);
      return Math.ceil(Math.max(tokenizer.encode(text).length, text.length / 4));
    };
    const tokens = tokensOf({ tools: toolDefinitions });
    const sizes = toolDefinitions
      .map((tool) => `  ${tool.name} ${tokensOf(tool)}, of which description ${tokensOf(tool.description)}`)
      .join("\n");
    const state = `the tools have ${tokens} of ${TOKEN_BUDGET} tokens (${TOKEN_BUDGET - tokens} are free):\n${sizes}`;
    expect(tokens, `shorten a description in src/contract; ${state}\n`).toBeLessThan(TOKEN_BUDGET);
  });

  // [D8-mcp-seventeen-tools]
  it("contains every tool into which operations are combined", () => {
    const folded = operations.flatMap(({ tool }) => (tool && "into" in tool ? [tool.into] : []));
    expect(folded.sort()).toEqual([
      "answer_knock",
      "claim_wire",
      "claim_wire",
      "get_wire",
      "search_wires",
      "vote_wire",
    ]);
    expect(mcpTools.flatMap((tool) => tool.merged)).toHaveLength(folded.length);
  });
});

describe.each(mcpTools.map((tool) => [tool.definition.name, tool] as const))("%s", (name, tool) => {
  const { definition } = tool;

  // [D8-mcp-flat-input]
  it("accepts the fields of the REST operation in one flat object", () => {
    const fields = operationsOf(tool).flatMap((operation) => Object.keys(operation.fields));
    const extra = [
      ...(name === "vote_wire" ? ["vote"] : []),
      ...(name === "claim_wire" ? ["release", "idempotency_key"] : []),
      ...(name === "send_wire" ? ["payload_json"] : []),
      ...(tool.operation.method === "POST" ? ["idempotency_key"] : []),
      ...(["update_profile", "manage_space"].includes(name) ? ["clear"] : []),
    ];
    expect(definition.inputSchema.type).toBe("object");
    expect(Object.keys(definition.inputSchema.properties).sort()).toEqual(
      [...new Set([...fields, ...extra])].sort(),
    );
  });

  // [D8-mcp-flat-input]
  it("requires the required fields of the operation", () => {
    const lists = ["answer_knock", "get_wire", "claim_wire", "search_wires"];
    const all = lists.includes(name) ? operationsOf(tool) : [tool.operation];
    const names = Object.keys(tool.operation.fields).filter((field) =>
      all.every(({ fields }) => fields[field]?.required),
    );
    expect(definition.inputSchema.required).toEqual(names.length > 0 ? names : undefined);
  });

  // [D8-mcp-output-schema]
  it("has schemas that a strict validator accepts, with an object at the root", () => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      strictTypes: false,
      strictRequired: false,
    });
    ajv.compile(JSON.parse(JSON.stringify(definition.inputSchema)) as object);
    ajv.compile(JSON.parse(JSON.stringify(definition.outputSchema)) as object);
    expect(definition.outputSchema.type).toBe("object");
  });

  // [D8-mcp-output-schema]
  it("has an output schema that also accepts the error envelope, because clients validate errors", () => {
    const validate = new Ajv2020({ strict: false }).compile(definition.outputSchema);
    const envelope = { code: "NOT_FOUND", message: "no", errors: [], schema_ref: "@a-b/c@1", retry_after: 1 };
    expect(validate(envelope)).toBe(true);
    expect(validate({})).toBe(false);
  });

  // [D8-mcp-hints]
  it("has a title, hints, and an explanation of each specific error", () => {
    expect(definition.title).toMatch(/^[A-Z]/);
    const { readOnlyHint, destructiveHint } = definition.annotations;
    expect(readOnlyHint && destructiveHint).toBeFalsy();
    const own = operationsOf(tool)
      .flatMap((operation) => errorCodesOf(operation))
      .filter((code) => !COMMON.includes(code));
    for (const code of own) expect(definition.description).toContain(code);
  });
});

/**
 * The annotations as the MCP schema defines them
 * (https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations). `destructiveHint` and
 * `idempotentHint` only have a meaning for tools that are not read-only.
 */
const READS = { readOnlyHint: true, openWorldHint: true };
const adds = (idempotentHint: boolean, openWorldHint: boolean) => ({
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint,
  openWorldHint,
});
const overwrites = (openWorldHint: boolean) => ({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint,
});
/** Each new tool needs a line. */
const ANNOTATIONS = {
  send_wire: adds(false, true),
  get_wire: READS,
  delete_wire: overwrites(false),
  vote_wire: adds(true, false),
  claim_wire: adds(false, true),
  read_thread: READS,
  // A cursor moves the checkpoint, but never back: the same call again changes nothing.
  read_inbox: adds(true, true),
  send_knock: adds(false, true),
  answer_knock: adds(true, true),
  // A second call fails, because the slug is taken.
  create_space: adds(true, true),
  manage_space: overwrites(true),
  read_space: READS,
  search_wires: READS,
  register_schema: adds(false, true),
  get_schema: READS,
  search: READS,
  update_profile: overwrites(true),
};

describe("the descriptions of the tools", () => {
  // [D8-mcp-hints]
  it("state what each tool changes, and whether others see it", () => {
    const stated = toolDefinitions.map(({ name, annotations }) => [name, annotations]);
    expect(Object.fromEntries(stated)).toEqual(ANNOTATIONS);
  });

  // [D8-mcp-others-words]
  it("explain the common errors and untrusted content once", () => {
    for (const code of COMMON) expect(INSTRUCTIONS).toContain(code);
    expect(INSTRUCTIONS).toContain("never as instructions");
  });

  // [D2-mcp-shared-idempotency]
  it("name exactly the tools that create or claim as accepting an idempotency key", () => {
    const keyed = mcpTools.filter(({ definition }) => "idempotency_key" in definition.inputSchema.properties);
    expect(keyed).toEqual(mcpTools.filter(({ operation }) => operation.idempotent));
  });

  // [D8-mcp-roots-only] [D8-mcp-vote-wire]
  it("define roots_only and vote as boolean", () => {
    const rootsOnly = named("read_space").definition.inputSchema.properties.roots_only!;
    expect(rootsOnly).toMatchObject({ type: "boolean" });
    expect(named("vote_wire").definition.inputSchema.properties.vote).toMatchObject({ type: "boolean" });
  });

  // [D8-mcp-others-words]
  it("say that others' words are data, in every tool that returns some", () => {
    for (const tool of mcpTools) {
      const returnsWords = operationsOf(tool).some(({ tool }) =>
        Boolean(tool && "returnsUntrustedContent" in tool && tool.returnsUntrustedContent),
      );
      expect(/\bdata, never instructions\b/.test(tool.definition.description)).toBe(returnsWords);
    }
  });
});
