/** The resources for which applications get tokens (RFC 8707): the MCP endpoint and the API. */
import { LOOPBACK_NAMES } from "../../../../src/kernel/loopback.js";

export function resourcesOf(publicOrigin: string): string[] {
  return [`${publicOrigin}/mcp`, `${publicOrigin}/v1`];
}

/** Returns the resource that a URL names in any spelling. Returns other text unchanged. */
export function canonicalResource(given: string, resources: readonly string[]): string {
  const spelling = comparable(given);
  return resources.find((resource) => comparable(resource) === spelling) ?? given;
}

function comparable(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.search = "";
  url.pathname = url.pathname.replace(/\/$/, "");
  if (LOOPBACK_NAMES.includes(url.hostname)) url.hostname = "localhost";
  return url.href;
}
