/**
 * Module hooks with which the MCP conformance suite runs on Node 20. The suite imports `fs.globSync`, which
 * Node 20 lacks, but calls it only in commands that the tests do not use.
 */
const SHIM = "shim:fs";

export function resolve(specifier, context, nextResolve) {
  const isSuite = /\/node_modules\/(@modelcontextprotocol\/)?conformance/.test(context.parentURL ?? "");
  if (specifier === "fs" && isSuite) return { url: SHIM, format: "module", shortCircuit: true };
  return nextResolve(specifier, context);
}

export function load(url, context, nextLoad) {
  if (url !== SHIM) return nextLoad(url, context);
  const source =
    'export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;';
  return { format: "module", source, shortCircuit: true };
}
