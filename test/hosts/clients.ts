/** The clients, with the versions that the matrix shows. */
import { COMMAND } from "../harness/daemon.js";

export interface HostClient {
  /** Name on the command line. */
  id: string;
  title: string;
  /** The packages to install, with exact versions. The first is the client. */
  packages: Record<string, string>;
  /** The file in `programs`, and its arguments for this MCP endpoint. */
  program: string;
  args?(access: { mcpUrl: string; key: string }): string[];
  env?: Record<string, string>;
  /** Its command that signs in refuses to run without a terminal. */
  signsInOnTerminal?: boolean;
  /** Why its OAuth is not run. */
  withoutOAuth?: string;
}

const OFFICIAL_1 = { "@modelcontextprotocol/sdk": "1.32.2" };
const AI_SDK = {
  "@ai-sdk/mcp": "2.0.99",
  ai: "7.0.173",
  "@ai-sdk/openai": "4.0.118",
  "@ai-sdk/anthropic": "4.0.105",
  "@ai-sdk/google": "4.0.121",
};

function aiSdk(provider: string, title: string): HostClient {
  return {
    id: `ai-sdk-${provider}`,
    title: `Vercel AI SDK, model of ${title}`,
    packages: AI_SDK,
    program: "ai-sdk.mjs",
    env: { PROVIDER: provider },
  };
}

function openAiAgents(id: string, title: string, structured: "yes" | "no"): HostClient {
  return {
    id,
    title,
    packages: { "@openai/agents": "0.20.0", ...OFFICIAL_1 },
    program: "openai-agents.mjs",
    env: { STRUCTURED: structured },
  };
}

function commandLine(
  id: string,
  title: string,
  name: string,
  version: string,
  signIn: Pick<HostClient, "signsInOnTerminal" | "withoutOAuth"> = {},
): HostClient {
  return { id, title, packages: { [name]: version }, program: `${id}.mjs`, ...signIn };
}

export const clients: readonly HostClient[] = [
  {
    id: "client-1",
    title: "Official TypeScript client 1.x",
    packages: OFFICIAL_1,
    program: "client-1.mjs",
  },
  {
    id: "client-2",
    title: "Official TypeScript client 2.x",
    packages: { "@modelcontextprotocol/client": "2.4.0" },
    program: "client-2.mjs",
  },
  {
    id: "bridge",
    title: "`wireroom mcp` under the official client 1.x",
    packages: OFFICIAL_1,
    program: "stdio.mjs",
    args: () => [process.execPath, COMMAND, "mcp"],
    withoutOAuth: "the command uses the keys of its profile",
  },
  {
    id: "mcp-remote",
    title: "mcp-remote under the official client 1.x",
    packages: { "mcp-remote": "0.15.1", ...OFFICIAL_1 },
    program: "stdio.mjs",
    args: ({ mcpUrl, key }) => [
      "node_modules/.bin/mcp-remote",
      mcpUrl,
      ...(key ? ["--header", `Authorization: Bearer ${key}`] : []),
    ],
  },
  {
    id: "inspector",
    title: "MCP Inspector, command line",
    packages: { "@modelcontextprotocol/inspector": "2.12.0" },
    program: "inspector.mjs",
    // Lets it open a browser without a terminal.
    env: { MCP_AUTO_OPEN_ENABLED: "true" },
  },
  aiSdk("openai", "OpenAI"),
  aiSdk("anthropic", "Anthropic"),
  aiSdk("google", "Google"),
  {
    id: "langchain",
    title: "LangChain adapters, model of Anthropic",
    packages: {
      "@langchain/mcp-adapters": "1.1.4",
      "@langchain/core": "1.4.0",
      "@langchain/anthropic": "1.5.11",
      langchain: "1.5.14",
    },
    program: "langchain.mjs",
  },
  openAiAgents("openai-agents", "OpenAI Agents SDK", "no"),
  openAiAgents("openai-agents-structured", "OpenAI Agents SDK, `useStructuredContent`", "yes"),
  {
    id: "mastra",
    title: "Mastra, model of OpenAI",
    packages: { "@mastra/mcp": "2.0.0", "@mastra/core": "1.71.0", "@modelcontextprotocol/client": "2.0.0" },
    program: "mastra.mjs",
  },
  {
    id: "genai",
    title: "Google GenAI SDK, `mcpToTool`",
    packages: { "@google/genai": "3.1.0", ...OFFICIAL_1 },
    program: "genai.mjs",
  },
  {
    id: "adk",
    title: "Google ADK",
    packages: { "@google/adk": "2.0.0", ...OFFICIAL_1 },
    program: "adk.mjs",
  },
  commandLine("claude-code", "Claude Code", "@anthropic-ai/claude-code", "2.1.332", {
    signsInOnTerminal: true,
  }),
  commandLine("codex", "Codex", "@openai/codex", "0.171.0"),
  commandLine("gemini-cli", "Gemini CLI", "@google/gemini-cli", "0.61.0", {
    withoutOAuth: "not run: its sign-in, /mcp auth, is a command of its full-screen interface",
  }),
  commandLine("copilot", "Copilot CLI", "@github/copilot", "1.0.102", {
    withoutOAuth:
      "not run to its end: its full-screen interface opens the page, and this machine cannot fetch the client's metadata document from github.com",
  }),
  commandLine("opencode", "OpenCode", "opencode-ai", "1.18.33"),
  commandLine("kimi", "Kimi Code CLI", "@moonshot-ai/kimi-code", "2.1.0"),
];
