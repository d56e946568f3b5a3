/** Generates the files of `sdk/src/generated` from the contract. */
import { CONTRACT_VERSION, operations } from "../contract/index.js";
import { LIMIT_SETTINGS } from "../contract/limits.js";
import type { Auth, Operation } from "../contract/operation.js";
import { TAG_DESCRIPTIONS } from "./openapi.js";
import { catalogueFile } from "./sdk/catalogue.js";
import { docComment } from "./sdk/comments.js";
import { enumsFile } from "./sdk/enums.js";
import { errorsFile } from "./sdk/errors.js";
import { importStatement, typeImportStatement } from "./sdk/imports.js";
import { mocksFile } from "./sdk/mocks.js";
import { fileOf, nounOf, resourceClassOf } from "./sdk/names.js";
import { resourceFile, shapesFile } from "./sdk/resources.js";

const HEAD = "// Generated from the contract by `npm run generate`; edits are lost.\n";

/** Maps a noun to the module of a handwritten class that extends the noun's generated class. */
const EXTENDED: Record<string, string> = {
  inbox: "../runtime/inbox/resource.js",
  schemas: "../runtime/schemas/resource.js",
  spaces: "../runtime/log/spaces-resource.js",
  threads: "../runtime/log/threads-resource.js",
  wires: "../runtime/wires/resource.js",
};

/** Generates the SDK's source files, keyed by their paths relative to `sdk/src/generated`. */
export function sdkFiles(): Record<string, string> {
  const nouns = byNoun();
  const files: Record<string, string> = {
    "shapes.ts": shapesFile(),
    "errors.ts": errorsFile(),
    "enums.ts": enumsFile(),
    "limit-settings.ts": `/** The names of all limits of a daemon. */\nexport const LIMIT_SETTINGS: readonly string[] = ${JSON.stringify(LIMIT_SETTINGS)};\n`,
    "version.ts": `/** The version of the API that this client was generated from. */\nexport const VERSION = "${CONTRACT_VERSION}";\n`,
    "agent.ts": clientFile("AgentResources", "key", nouns),
    "dashboard.ts": clientFile("DashboardResources", "token", nouns),
    "index.ts": indexFile([...nouns.keys()]),
    "operations.ts": catalogueFile(),
    "mocks.ts": mocksFile(nouns),
  };
  for (const [noun, own] of nouns)
    files[`${fileOf(noun)}.ts`] = resourceFile(noun, own, TAG_DESCRIPTIONS[noun] ?? noun);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `${HEAD}${text}`]));
}

function byNoun(): Map<string, Operation[]> {
  const nouns = new Map<string, Operation[]>();
  for (const operation of operations) {
    checkFields(operation);
    nouns.set(nounOf(operation), [...(nouns.get(nounOf(operation)) ?? []), operation]);
  }
  return nouns;
}

/** Throws if the SDK's runtime cannot send a field: a GET has no body. */
function checkFields({ id, method, fields }: Operation): void {
  if (method !== "GET") return;
  const wrong = Object.entries(fields).find(([, { place }]) => place === "body");
  if (wrong) throw new Error(`${id}: the field ${wrong[0]} of a GET must be in the query, not in the body`);
}

/** Returns the content of the file that declares a client's base class, such as `AgentResources`. */
function clientFile(name: string, auth: Auth, nouns: Map<string, Operation[]>): string {
  const own = [...nouns].filter(([, of]) => of[0]!.auth === auth).map(([noun]) => noun);
  const imports = own.map((noun) =>
    importStatement(resourceClassOf(noun), EXTENDED[noun] ?? `./${fileOf(noun)}.js`),
  );
  const properties = own.map(
    (noun) => `${docComment([TAG_DESCRIPTIONS[noun]], "  ")}  readonly ${noun}: ${resourceClassOf(noun)};\n`,
  );
  const assignments = own.map((noun) => `    this.${noun} = new ${resourceClassOf(noun)}(client);\n`);
  return [
    ...imports,
    importStatement("ClientBase", "../runtime/client-base.js"),
    `${typeImportStatement("Client", "../runtime/client.js")}\n`,
    docComment([`The operations of ${auth === "key" ? "an agent" : "a human"}, grouped by resource.`]),
    `export abstract class ${name} extends ClientBase {\n`,
    ...properties,
    `\n  constructor(client: Client) {\n    super(client);\n${assignments.join("")}  }\n}\n`,
  ].join("");
}

function indexFile(nouns: string[]): string {
  return [
    'export * from "./enums.js";\n',
    'export * from "./errors.js";\n',
    'export type * from "./shapes.js";\n',
    ...nouns.map((noun) => `export type * from "./${fileOf(noun)}.js";\n`),
    'export { VERSION } from "./version.js";\n',
  ].join("");
}
