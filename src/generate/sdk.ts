/** The generated part of the SDK, made from the contract: its files by path, relative to `sdk/src/generated/`. */
import { CONTRACT_VERSION, operations } from "../contract/index.js";
import type { Auth, Operation } from "../contract/operation.js";
import { TAGS } from "./openapi.js";
import { catalogueFile } from "./sdk/catalogue.js";
import { comment } from "./sdk/comments.js";
import { errorsFile } from "./sdk/errors.js";
import { importLine, importTypes } from "./sdk/imports.js";
import { nounOf, resourceClassOf } from "./sdk/names.js";
import { resourceFile, shapesFile } from "./sdk/resources.js";

const HEAD = "// Generated from the contract by `npm run generate`; edits are lost.\n";

/** Nouns whose class is extended by hand, and from where the clients take it. */
const EXTENDED: Record<string, string> = { inbox: "../runtime/inbox/resource.js" };

export function sdkFiles(): Record<string, string> {
  const nouns = byNoun();
  const files: Record<string, string> = {
    "shapes.ts": shapesFile(),
    "errors.ts": errorsFile(),
    "version.ts": `/** Version of the contract that this was made from. */\nexport const VERSION = "${CONTRACT_VERSION}";\n`,
    "agent.ts": clientFile("AgentResources", "key", nouns),
    "dashboard.ts": clientFile("DashboardResources", "token", nouns),
    "index.ts": indexFile([...nouns.keys()]),
    "operations.ts": catalogueFile(),
  };
  for (const [noun, own] of nouns) files[`${noun}.ts`] = resourceFile(noun, own, TAGS[noun] ?? noun);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `${HEAD}${text}`]));
}

function byNoun(): Map<string, Operation[]> {
  const nouns = new Map<string, Operation[]>();
  for (const operation of operations) {
    checkPlaces(operation);
    nouns.set(nounOf(operation), [...(nouns.get(nounOf(operation)) ?? []), operation]);
  }
  return nouns;
}

/** The runtime puts what is not in the path into the query of a GET or DELETE, and into the body of a POST or PUT. */
function checkPlaces({ id, method, fields }: Operation): void {
  const rest = method === "GET" || method === "DELETE" ? "query" : "body";
  const wrong = Object.entries(fields).find(([, { place }]) => place !== "path" && place !== rest);
  if (wrong) throw new Error(`${id}: the SDK's runtime would not send ${wrong[0]} in the ${wrong[1].place}`);
}

/** The class that the client of one kind of caller extends. */
function clientFile(name: string, auth: Auth, nouns: Map<string, Operation[]>): string {
  const own = [...nouns].filter(([, of]) => of[0]!.auth === auth).map(([noun]) => noun);
  const imports = own.map((noun) => importLine(resourceClassOf(noun), EXTENDED[noun] ?? `./${noun}.js`));
  const properties = own.map(
    (noun) => `${comment([TAGS[noun]], "  ")}  readonly ${noun}: ${resourceClassOf(noun)};\n`,
  );
  const assignments = own.map((noun) => `    this.${noun} = new ${resourceClassOf(noun)}(client);\n`);
  return [
    ...imports,
    importLine("Caller", "../runtime/caller.js"),
    `${importTypes("Client", "../runtime/client.js")}\n`,
    comment([`What ${auth === "key" ? "an agent" : "a human"} can do, noun by noun.`]),
    `export abstract class ${name} extends Caller {\n`,
    ...properties,
    `\n  constructor(client: Client) {\n    super(client);\n${assignments.join("")}  }\n}\n`,
  ].join("");
}

function indexFile(nouns: string[]): string {
  return [
    'export * from "./errors.js";\n',
    'export type * from "./shapes.js";\n',
    ...nouns.map((noun) => `export type * from "./${noun}.js";\n`),
    'export { VERSION } from "./version.js";\n',
  ].join("");
}
