/** The Vercel AI SDK. PROVIDER selects the provider, which converts the tools and their results. */
import { auth, createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount } from "ai";
import { connectWith, countOf, headers, MAX_TURNS, PROMPT, report, settings } from "./common.mjs";

const PROVIDERS = {
  async openai() {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL: `${settings.modelUrl}/v1`, apiKey: "none" })("gpt-5");
  },
  async anthropic() {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL: `${settings.modelUrl}/v1`, apiKey: "none" })("claude-sonnet-4-5");
  },
  async google() {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ baseURL: `${settings.modelUrl}/v1beta`, apiKey: "none" })(
      "gemini-2.5-pro",
    );
  },
};

const client = await connectWith(
  (authProvider) =>
    createMCPClient({ transport: { type: "http", url: settings.mcpUrl, headers, authProvider } }),
  (provider, parameters) =>
    auth(provider, {
      serverUrl: settings.mcpUrl,
      authorizationCode: parameters.get("code"),
      callbackState: parameters.get("state"),
      callbackIssuer: parameters.get("iss") ?? undefined,
    }),
);
await generateText({
  model: await PROVIDERS[process.env.PROVIDER](),
  tools: await client.tools(),
  prompt: PROMPT,
  stopWhen: isStepCount(MAX_TURNS),
  maxRetries: 0,
});
report({
  resources: await countOf(async () => (await client.listResources()).resources),
  templates: await countOf(async () => (await client.listResourceTemplates()).resourceTemplates),
  prompts: await countOf(async () => (await client.listPrompts()).prompts),
});
await client.close();
