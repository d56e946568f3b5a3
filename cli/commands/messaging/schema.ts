/** Declares `wireroom schema`: registers, shows, checks and imports schemas, and writes their types. */

import type { WireroomError } from "../../../sdk/src/api.js";
import { COMPAT_MODES } from "../../../sdk/src/generated/enums.js";
import { Failure } from "../../failure.js";
import { collectValues, readJson, readJsonDocument } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { jsonLines } from "../../output/show/wire.js";
import type { ImportFlags } from "../../services/schema/import.js";
import type { TypesFlags } from "../../services/schema/types.js";
import type { Session } from "../../session.js";
import type { Argument } from "../arguments.js";
import { command, noun } from "../command.js";
import { operation } from "../operation.js";

const schemaArgument = (usage: string, description: string, field: string): Argument => ({
  usage,
  description,
  fields(name: string, { hintNames }) {
    hintNames.schema = name;
    return { [field]: name };
  },
});

/**
 * Warns that the new version may reject payloads that the previous version accepted. Lists posting rules that
 * name the schema without a version, because the new version applies to them immediately.
 */
async function warnAboutBreaking(session: Session, subject: string, version: number): Promise<void> {
  const { unpinnedRules } = await import("../../services/schema/unpinned-rules.js");
  const { output } = session;
  output.warn(
    `Warning: --compat none skips the compatibility check. Version ${version} may reject payloads that version ${version - 1} accepted.`,
  );
  // The version is already registered, so the command succeeds even if listing the rules fails.
  const users = await unpinnedRules(await session.agent(), subject).catch((error: Error) => error);
  if (users instanceof Error) {
    output.warn(`The rules that name ${subject} without a version could not be listed: ${users.message}`);
    return;
  }
  if (users.length === 0) return;
  output.warn(
    `These rules name ${subject} without a version, so version ${version} applies now: ${users.join(", ")}`,
  );
  output.warn(
    `To keep the earlier version, name it in the rule: {"accepted_schemas": ["${subject}@${version - 1}"]}`,
  );
}

function readDocument({ io: { stdin } }: Session, document: string): Promise<unknown> {
  return readJsonDocument(document, "the schema", stdin);
}

const REF = /^@[a-z0-9-]{3,32}\/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$/;

const addCheck = command({
  name: "check",
  description: "validate a payload against a schema without sending it",
  arguments: [
    { usage: "<schema>", description: "registered schema @handle/name[@N], or a file" },
    { usage: "<payload>", description: "payload: the JSON itself, @FILE, or - for standard input" },
  ],
  help: `\
The check runs on this machine, with the validator of the service.
Exit code: 0 if the payload is valid, 6 if it is not.`,
  examples: [
    `wireroom schema check @alice/price-quote '{"price": 12.5}'`,
    "wireroom schema check ./quote.json @payload.json",
  ],
  run: async (session, _flags, named, payloadArgument) => {
    session.hintNames.check = true;
    const { json_schema, ref } = await schemaOf(session, named!);
    const payload = await readJson(payloadArgument!, "the payload", session.io.stdin);
    const { judgePayload } = await import("../../../daemon/local/offline.js");
    const judgement = await judgePayload(json_schema, payload);
    if ("refused" in judgement) {
      const reasons = judgement.refused.map((each) => `${each.instancePath} ${each.message}`.trimStart());
      throw new Failure("USAGE", `the service would not register this schema: ${reasons.join("; ")}`);
    }
    const name = ref ?? oneLine(named!);
    if (judgement.errors.length > 0) await refuse(name, ref, judgement.errors);
    const { output } = session;
    const body = { valid: true, schema_ref: ref ?? null };
    output.result(body, () => output.success(`the payload is valid under ${name}`, "valid"));
  },
});

/** Returns a schema document and, for a registered schema, its ref, such as `@alice/quote@2`. */
async function schemaOf(session: Session, named: string): Promise<{ json_schema: unknown; ref?: string }> {
  if (!REF.test(named)) return { json_schema: await readDocument(session, named) };
  session.hintNames.schema = named;
  const client = await session.agent();
  return client.schemas.get({ ref: named });
}

/** Throws the same error that the service returns for a wire with an invalid payload. */
async function refuse(
  name: string,
  schemaRef: string | undefined,
  errors: WireroomError["errors"],
): Promise<never> {
  const { SchemaValidationFailedError } = await import("../../../sdk/src/api.js");
  const message = `the payload is not valid under ${name}`;
  throw new SchemaValidationFailedError(message, { code: "SCHEMA_VALIDATION_FAILED", schemaRef, errors });
}

const addTypes = command<TypesFlags, [string[]]>({
  name: "types",
  description: "write TypeScript types of registered schemas",
  arguments: [
    { usage: "[ref...]", description: "@handle/name or @handle/name@N; default: all schemas of the handle" },
  ],
  options: (command) => command.option("--out <file>", "file to write; default: standard output"),
  help: `\
A type may be wider than its schema: formats, ranges and patterns have no counterpart in TypeScript.
The file of --out is replaced only if this command has written it. The schemas of the handle are searched by its name: if
50 or more are found, those of others included, some may be missing, so name each one.`,
  examples: "wireroom schema types @acme/order --out src/wireroom-types.ts",
  run: async (session, flags, refs) =>
    (await import("../../services/schema/types.js")).writeTypes(session, flags, refs),
});

const addImport = command<ImportFlags>({
  name: "import",
  description: "make a document that can be registered from any JSON Schema, and register it",
  arguments: [
    {
      usage: "<file>",
      description:
        "JSON Schema of draft 4 or later, or a schema in another document: api.json#/components/schemas/Order",
    },
  ],
  options: (command) =>
    command
      .option("--subject <subject>", "@handle/name; default: the active handle, and the name of the file")
      .option(
        "--with <file>",
        "a document to which the schema refers, if it is not in the same folder; repeatable",
        collectValues,
      )
      .option("--dry-run", "print the document, and register nothing"),
  help: `\
Converts older drafts and OpenAPI 3.0 to JSON Schema 2020-12, includes the documents to which the schema refers, leaves out
unknown keywords and formats, and rewrites patterns with look-around if an equivalent is known. Lists every change: those without
an effect, what is not checked any more, and what is checked now. Nothing is fetched. Asks before it registers, unless you
pass --yes. If the document is too large, comments, examples, defaults and descriptions are left out, too.`,
  examples: [
    "wireroom schema import order.schema.json --dry-run > order.json",
    "wireroom schema import api.json#/components/schemas/Order --yes",
  ],
  run: async (session, flags, file) =>
    (await import("../../services/schema/import.js")).importSchemaFile(session, flags, file!),
});

export const add = noun("schema", "register, fetch and test JSON Schemas for payloads", [
  operation("schemas.register", {
    name: "register",
    description: "register a schema or a new version of it",
    arguments: [
      schemaArgument("<subject>", "@handle/name; the handle must belong to this account", "subject"),
      {
        usage: "<document>",
        description: "JSON Schema 2020-12: a file, the JSON itself, or - for standard input",
        fields: async (document: string, session) => ({ json_schema: await readDocument(session, document) }),
      },
    ],
    options: [
      {
        flags: "--compat <mode>",
        description:
          "compatibility check of new versions: none, or backward (valid payloads stay valid); default: unchanged",
        choices: COMPAT_MODES,
      },
    ],
    once: "register one version",
    help: `\
A rule that names @alice/price-quote uses the latest version; one that names @alice/price-quote@1 stays with version 1.
With --compat none, versions are not compared: a new version may reject payloads that the previous one accepted.`,
    examples: "wireroom schema register @alice/price-quote quote.json --compat backward",
    success: ({ body: { ref } }) => [`registered ${ref}`, ref],
    next: ({ body }) => [`wireroom schema check ${shellQuoted(body.ref)} '{…}'`],
    async finish({ session, input: { compat, subject }, body: { version } }) {
      if (compat === "none" && version > 1) await warnAboutBreaking(session, subject, version);
    },
  }),
  operation("schemas.get", {
    name: "show",
    description: "show a schema; in a pipe, only the JSON Schema document",
    arguments: [
      schemaArgument("<ref>", "@handle/name for the latest version, @handle/name@N for version N", "ref"),
    ],
    examples: "wireroom schema show @alice/price-quote@2 > quote.json",
    show({ output, body: { ref, compat, json_schema } }) {
      if (output.isTerminal) {
        output.fields([
          ["ref", ref],
          ["compat", compat],
        ]);
        output.line();
      }
      for (const line of jsonLines(json_schema)) output.line(line);
    },
  }),
  addImport,
  addCheck,
  addTypes,
]);
