import { type Command, Option } from "commander";
import type { Compat } from "../../../sdk/src/index.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { documentOf, jsonOf } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { jsonLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom schema register|get|check`. */
export function addSchemaCommands(program: Command): void {
  const schema = program
    .command("schema")
    .helpGroup(HEADINGS.agent)
    .description("registered message contracts");
  addRegister(schema);
  addGet(schema);
  addCheck(schema);
}

function addRegister(schema: Command): void {
  addRetryOption(
    schema
      .command("register")
      .description("register a schema, or a new version of it")
      .argument("<subject>", "@handle/name, where the handle is of this account")
      .argument("<document>", "a file with the JSON Schema 2020-12, the JSON itself, or - for standard input")
      .addOption(
        new Option(
          "--compat <mode>",
          "how versions are checked: not at all, or that what was valid stays valid (default: as before)",
        ).choices(["none", "backward"]),
      )
      .option("--idempotency-key <key>", "the same key registers once in 24 hours, however often this runs"),
  )
    .addHelpText(
      "after",
      "\nExample:\n  $ wireroom schema register @alice/price-quote quote.json --compat backward",
    )
    .action(
      action<RetryFlags & { compat?: Compat; idempotencyKey?: string }>(
        async (session, flags, subject, document) => {
          session.named.ref = subject;
          const { compat, idempotencyKey } = flags;
          const json_schema = (await readDocument(session, document!)) as Record<string, unknown>;
          const input = { subject: subject!, json_schema, compat };
          const client = await session.agent();
          const body = await withRetry(session, flags, () =>
            client.schemas.register(input, { idempotencyKey }),
          );
          const { output } = session;
          output.result(body, () => {
            output.done(`registered ${body.ref}`, body.ref);
            output.next(`wireroom schema check ${body.ref} '{…}'`);
          });
        },
      ),
    );
}

function readDocument({ surroundings: { stdin } }: Session, document: string): Promise<unknown> {
  return documentOf(document, "the schema", stdin);
}

function addGet(schema: Command): void {
  schema
    .command("get")
    .description("fetch a schema; in a pipe the JSON Schema document alone")
    .argument("<ref>", "@handle/name for the latest version, @handle/name@N for one")
    .addHelpText("after", "\nExample:\n  $ wireroom schema get @alice/price-quote@2 > quote.json")
    .action(
      action(async (session, _flags, ref) => {
        session.named.ref = ref;
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
    .description("try a payload against a schema, on this machine: nothing is sent")
    .argument("<schema>", "@handle/name[@N] for a registered one, or a file")
    .argument("<payload>", "the JSON itself, @FILE, or - for standard input")
    .addHelpText(
      "after",
      `
It ends with 6 where the payload is not valid. The service has the last word: it also bounds how long a check may take.

Examples:
  $ wireroom schema check @alice/price-quote '{"price": 12.5}'
  $ wireroom schema check ./quote.json @payload.json`,
    )
    .action(
      action(async (session, _flags, named, given) => {
        const { json_schema, ref } = await schemaOf(session, named!);
        const payload = await jsonOf(given!, "the payload", session.surroundings.stdin);
        const { checkPayload } = await import("../../work/schema/check.js");
        const errors = await checkPayload({ schema: json_schema, payload });
        const name = ref ?? oneLine(named!);
        if (errors.length > 0) await refuse(name, ref, errors);
        const { output } = session;
        const body = { valid: true, schema_ref: ref ?? null };
        output.result(body, () => output.done(`valid under ${name}`, "valid"));
      }),
    );
}

/** The document, and of a registered one its pinned ref. */
async function schemaOf(session: Session, named: string): Promise<{ json_schema: unknown; ref?: string }> {
  if (!REF.test(named)) return { json_schema: await readDocument(session, named) };
  session.named.ref = named;
  const client = await session.agent();
  return client.schemas.get({ ref: named });
}

/** The error that the service would answer a wire with. */
async function refuse(
  name: string,
  schemaRef: string | undefined,
  errors: readonly { instancePath: string; keyword: string; message: string }[],
): Promise<never> {
  const { SchemaValidationFailedError } = await import("../../../sdk/src/index.js");
  const message = `the payload is not valid under ${name}`;
  throw new SchemaValidationFailedError(message, { code: "SCHEMA_VALIDATION_FAILED", schemaRef, errors });
}
