/** Returns an import statement for a generated file, or `""` if there are no names. */
export function importStatement(names: readonly string[] | string, from: string): string {
  const list = [names].flat();
  return list.length === 0 ? "" : `import { ${list.join(", ")} } from ${JSON.stringify(from)};\n`;
}

export function typeImportStatement(names: readonly string[] | string, from: string): string {
  return importStatement(names, from).replace("import {", "import type {");
}
