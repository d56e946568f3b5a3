/** Google's GenAI SDK, which calls the tools of an official client 1.x by itself. */
import { GoogleGenAI, mcpToTool } from "@google/genai";
import { MAX_TURNS, PROMPT, settings } from "./common.mjs";
import { connectLegacy } from "./legacy.mjs";

const client = await connectLegacy();
const google = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: settings.modelUrl } });
await google.models.generateContent({
  model: "gemini-2.5-pro",
  contents: PROMPT,
  config: { tools: [mcpToTool(client)], automaticFunctionCalling: { maximumRemoteCalls: MAX_TURNS } },
});
await client.close();
