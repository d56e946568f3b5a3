/** Import lines of generated files. */
export function importLine(names: readonly string[] | string, from: string): string {
  const list = [names].flat();
  return list.length === 0 ? "" : `import { ${list.join(", ")} } from ${JSON.stringify(from)};\n`;
}

export function importTypes(names: readonly string[] | string, from: string): string {
  return importLine(names, from).replace("import {", "import type {");
}
