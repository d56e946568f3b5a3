/**
 * The tools, resources and prompts that the MCP conformance suite asks of a server under test. The
 * descriptions of its scenarios define them. `daemon-host.mjs` offers them in place of the daemon's own.
 */
import { INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError } from "../../dist/daemon/mcp/rpc-error.js";

/** A PNG image of one pixel. */
const IMAGE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/** A WAV file without samples. */
const AUDIO = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: IMAGE, mimeType: "image/png" };
const embedded = (uri, value) => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: value },
});

const TOOLS = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: AUDIO, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "mixed"),
    ],
  }),
  test_error_handling: () => ({
    content: [text("This tool intentionally returns an error for testing")],
    isError: true,
  }),
  test_missing_capability: () => {
    throw new RpcError(-32_021, "the client must support sampling", {
      requiredCapabilities: { sampling: {} },
    });
  },
  // The server needs no input from the client, and sends no log messages.
  test_streaming_elicitation: () => ({ content: [text("done")] }),
  test_logging_tool: () => ({ content: [text("done")] }),
  json_schema_2020_12_tool: () => ({ content: [text("done")] }),
};

const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" }, phone: { type: "string" } },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["name"] }] }],
  if: { required: ["phone"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["name"] },
  else: { required: ["address"] },
  additionalProperties: false,
};

const RESOURCES = [
  {
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  { uri: "test://static-binary", mimeType: "image/png", blob: IMAGE },
];

const PROMPTS = {
  test_simple_prompt: { names: [], contents: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    names: ["arg1", "arg2"],
    contents: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    names: ["resourceUri"],
    contents: ({ resourceUri }) => [
      embedded(resourceUri, "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { names: [], contents: () => [image, text("Please analyze the image above.")] },
};

/** @type {import("../../daemon/mcp/catalog.js").Catalog} */
export const catalog = {
  instructions: "Fixtures of the MCP conformance suite.",
  tools: Object.keys(TOOLS).map((name) => ({
    name,
    description: `The fixture ${name}.`,
    inputSchema: name === "json_schema_2020_12_tool" ? SCHEMA_2020_12 : { type: "object" },
  })),
  resourceTemplates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "template",
      description: "A fixture.",
      mimeType: "text/plain",
    },
  ],
  prompts: Object.entries(PROMPTS).map(([name, { names }]) => ({
    name,
    description: `The fixture ${name}.`,
    arguments: names.map((argument) => ({ name: argument, description: "A fixture.", required: true })),
  })),
  listResources: async () => ({
    resources: RESOURCES.map(({ uri, mimeType }) => ({
      uri,
      mimeType,
      name: uri,
      description: "A fixture.",
    })),
  }),
  async callTool(name) {
    if (!Object.hasOwn(TOOLS, name)) throw new RpcError(INVALID_PARAMS, "there is no such tool");
    return TOOLS[name]();
  },
  async readResource(uri) {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id) return [{ uri, mimeType: "text/plain", text: `The data of ${id}.` }];
    const found = RESOURCES.filter((resource) => resource.uri === uri);
    if (found.length === 0) throw new RpcError(RESOURCE_NOT_FOUND, "there is no such resource", { uri });
    return found;
  },
  async getPrompt(name, args) {
    if (!Object.hasOwn(PROMPTS, name)) throw new RpcError(INVALID_PARAMS, "there is no such prompt");
    return { messages: PROMPTS[name].contents(args).map((content) => ({ role: "user", content })) };
  },
  complete: async () => ({ values: [], hasMore: false }),
};
