import { type Command, Option } from "commander";
import type { Compat } from "../../../sdk/src/index.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { parseIdempotencyKey, readJson, readJsonDocument } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { jsonLines } from "../../output/show/wire.js";
import type { TypesFlags } from "../../services/schema/types.js";
import type { Session } from "../../session.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom schema register|show|check|types`. */
export function addSchemaCommands(program: Command): void {
  const schema = program
    .command("schema")
    .helpGroup(HEADINGS.agent)
    .description("register, fetch and test JSON Schemas for payloads");
  addRegister(schema);
  addShow(schema);
  addCheck(schema);
  addTypes(schema);
}

function addRegister(schema: Command): void {
  addRetryOption(
    schema
      .command("register")
      .description("register a schema or a new version of it")
      .argument("<subject>", "@handle/name; the handle must belong to this account")
      .argument("<document>", "JSON Schema 2020-12: a file, the JSON itself, or - for standard input")
      .addOption(
        new Option(
          "--compat <mode>",
          "compatibility check of new versions: none, or backward (valid payloads stay valid); default: unchanged",
        ).choices(["none", "backward"]),
      )
      .option(
        "--idempotency-key <key>",
        "makes retries safe: requests with the same idempotency key within 24 hours register one version",
        parseIdempotencyKey,
      ),
  )
    .addHelpText(
      "after",
      `
A rule that names @alice/price-quote uses the latest version; one that names @alice/price-quote@1 stays with version 1.
With --compat none, versions are not compared: a new version may reject payloads that the previous one accepted.

Example:
  $ wireroom schema register @alice/price-quote quote.json --compat backward`,
    )
    .action(
      withSession<RetryFlags & { compat?: Compat; idempotencyKey?: string }>(
        async (session, flags, subject, document) => {
          session.hintNames.schema = subject;
          const { compat, idempotencyKey } = flags;
          const json_schema = (await readDocument(session, document!)) as Record<string, unknown>;
          const input = { subject: subject!, json_schema, compat };
          const client = await session.agent();
          const body = await withRetry(session, flags, () =>
            client.schemas.register(input, { idempotencyKey }),
          );
          const { output } = session;
          output.result(body, () => {
            output.success(`registered ${body.ref}`, body.ref);
            output.nextSteps(`wireroom schema check ${shellQuoted(body.ref)} '{…}'`);
          });
          if (compat === "none" && body.version > 1) await warnAboutBreaking(session, subject!, body.version);
        },
      ),
    );
}

/**
 * Warns that the new schema version may reject payloads that the previous version accepted. Lists the posting
 * rules that name no version, because the new version applies to them immediately.
 */
async function warnAboutBreaking(session: Session, subject: string, version: number): Promise<void> {
  const { unpinnedRules } = await import("../../services/schema/unpinned-rules.js");
  const { output } = session;
  output.warn(
    `Warning: --compat none skips the compatibility check. Version ${version} may reject payloads that version ${version - 1} accepted.`,
  );
  // The version is registered already, so the command succeeds even if the rules cannot be listed.
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

function addShow(schema: Command): void {
  schema
    .command("show")
    .description("show a schema; in a pipe, only the JSON Schema document")
    .argument("<ref>", "@handle/name for the latest version, @handle/name@N for version N")
    .addHelpText("after", "\nExample:\n  $ wireroom schema show @alice/price-quote@2 > quote.json")
    .action(
      withSession(async (session, _flags, ref) => {
        session.hintNames.schema = ref;
        const client = await session.agent();
        const body = await client.schemas.get({ ref: ref! });
        const { output } = session;
        output.result(body, () => {
          if (output.isTerminal) {
            output.fields([
              ["ref", body.ref],
              ["compat", body.compat],
            ]);
            output.line();
          }
          for (const line of jsonLines(body.json_schema)) output.line(line);
        });
      }),
    );
}

const REF = /^@[a-z0-9-]{3,32}\/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$/;

function addCheck(schema: Command): void {
  schema
    .command("check")
    .description("validate a payload against a schema without sending it")
    .argument("<schema>", "registered schema @handle/name[@N], or a file")
    .argument("<payload>", "payload: the JSON itself, @FILE, or - for standard input")
    .addHelpText(
      "after",
      `
The check runs on this machine, with the validator of the service.
Exit code: 0 if the payload is valid, 6 if it is not.

Examples:
  $ wireroom schema check @alice/price-quote '{"price": 12.5}'
  $ wireroom schema check ./quote.json @payload.json`,
    )
    .action(
      withSession(async (session, _flags, named, payloadArgument) => {
        session.hintNames.check = true;
        const { json_schema, ref } = await schemaOf(session, named!);
        const payload = await readJson(payloadArgument!, "the payload", session.io.stdin);
        const { checkPayload } = await import("../../services/schema/check.js");
        const errors = await checkPayload(json_schema, payload);
        const name = ref ?? oneLine(named!);
        if (errors.length > 0) await refuse(name, ref, errors);
        const { output } = session;
        const body = { valid: true, schema_ref: ref ?? null };
        output.result(body, () => output.success(`the payload is valid under ${name}`, "valid"));
      }),
    );
}

/**
 * Returns a schema document. For a registered schema, also returns its ref with the version, such as
 * `@alice/quote@2`.
 */
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
  errors: readonly { instancePath: string; keyword: string; message: string }[],
): Promise<never> {
  const { SchemaValidationFailedError } = await import("../../../sdk/src/index.js");
  const message = `the payload is not valid under ${name}`;
  throw new SchemaValidationFailedError(message, { code: "SCHEMA_VALIDATION_FAILED", schemaRef, errors });
}

function addTypes(schema: Command): void {
  schema
    .command("types")
    .description("write TypeScript types of registered schemas")
    .argument("[ref...]", "@handle/name or @handle/name@N; default: all schemas of the handle")
    .option("--out <file>", "file to write; default: standard output")
    .addHelpText(
      "after",
      `
A type may be wider than its schema: formats, ranges and patterns have no counterpart in TypeScript.
The file of --out is replaced only if this command has written it. The schemas of the handle are searched by its name: if
50 or more are found, those of others included, some may be missing, so name each one.

Example:
  $ wireroom schema types @acme/order --out src/wireroom-types.ts`,
    )
    .action(
      withSession<TypesFlags, [string[]]>(async (session, flags, refs) =>
        (await import("../../services/schema/types.js")).writeTypes(session, flags, refs),
      ),
    );
}
