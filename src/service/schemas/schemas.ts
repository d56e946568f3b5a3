/**
 * Returns schemas, and registers them. If a schema's mode is `backward`, each version must be compatible with
 * the previous one.
 */
import { invalid, type Reason, WireroomError } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import type { SchemaRecord } from "../../contract/shapes.js";
import { findSizeProblem } from "../../domain/json-schema/index.js";
import { summaryOf } from "../../domain/json-schema/values.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleBySlug } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { insertSchema, type StoredSchema, schemaByRef } from "../../store/schemas.js";
import { updateSchemaListing } from "../../store/switchboard.js";
import { assertMayPublish } from "../access/handles.js";
import { StalePreparation } from "../pipeline/call.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite, queued, read } from "../pipeline/handler.js";
import { busy, MAX_WAIT_MS } from "../validation/work-limits.js";

export const getSchema = read("schemas.get", async (_ctx, input, session) => {
  const schema = await schemaByRef(session, input.ref);
  if (!schema) throw new WireroomError("NOT_FOUND", `there is no schema ${input.ref}`);
  return schema.resource;
});

interface Checked {
  compat: SchemaRecord["compat"];
  /** The latest version, which the new document was compared with. 0 if no version exists yet. */
  latest: number;
}

const register = preparedWrite("schemas.register", {
  prepare: check,

  async run(ctx, input, tx, { compat, latest }: Checked) {
    await assertOwnSubject(ctx, tx, input.subject);
    await assertMayPublish(tx, ctx.caller, input.subject, "registering schemas");
    const current = await schemaByRef(tx, input.subject);
    if ((current?.resource.version ?? 0) !== latest) throw new StalePreparation();
    const version = latest + 1;
    const pk = await insertSchema(tx, {
      subject: input.subject,
      version,
      compat,
      jsonSchema: input.json_schema,
      registrar: ctx.caller.pk,
      createdAt: now(),
    });
    await updateSchemaListing(tx, input.subject, pk);
    return { ref: `${input.subject}@${version}`, version };
  },
});

/**
 * Registers the versions of a schema one after another, because each version is compared with the latest. A
 * waiting document counts against the account's limit of unfinished work.
 */
export const registerSchema = queued("schemas.register", register, async (ctx, input, run) => {
  const text = JSON.stringify(input.json_schema);
  const tooLarge = findSizeProblem(text);
  if (tooLarge) throw badSchema([tooLarge]);
  const account = ctx.caller.account.id;
  const endReservation = ctx.validators.reserve(account, text.length);
  const begin = () => {
    endReservation();
    return run();
  };
  // Include the caller's account in the key, so that other accounts' calls cannot delay the schema's owner.
  const key = `${account} ${input.subject}`;
  return ctx.mutex.run(key, begin, { ms: MAX_WAIT_MS, error: busy }).finally(endReservation);
});

/**
 * Checks the schema document and compares it with the latest version. Worker threads do both, because each
 * can take seconds.
 */
async function check(ctx: Context<Agent>, input: Input<"schemas.register">): Promise<Checked> {
  const faults = await ctx.validators.check(ctx.caller.account.id, input.json_schema);
  if (faults.length > 0) throw badSchema(faults);
  const latest = await schemaByRef(ctx.store.engine.reader, input.subject);
  // The request's `compat` mode already applies to this registration
  // (docs/specification/schemas.md#compatibility).
  const compat = input.compat ?? latest?.resource.compat ?? "none";
  if (latest && compat === "backward") await assertCompatible(ctx, latest, input.json_schema);
  return { compat, latest: latest?.resource.version ?? 0 };
}

async function assertCompatible(ctx: Context<Agent>, latest: StoredSchema, newer: object): Promise<void> {
  const breaking = await ctx.validators.compare(ctx.caller.account.id, latest.resource.json_schema, newer);
  if (breaking.length === 0) return;
  throw invalid(breaking, `not backward compatible with ${latest.resource.ref}: ${summaryOf(breaking)}`);
}

function badSchema(faults: readonly Reason[]): WireroomError {
  return invalid(faults.map((fault) => ({ ...fault, instancePath: `/json_schema${fault.instancePath}` })));
}

async function assertOwnSubject(ctx: Context<Agent>, tx: Transaction, subject: string): Promise<void> {
  const slug = subject.slice(1, subject.indexOf("/"));
  const handle = await handleBySlug(tx, slug);
  if (!handle) throw noSuchHandle(slug);
  if (handle.account === ctx.caller.account.pk) return;
  throw new WireroomError(
    "FORBIDDEN",
    `@${slug} belongs to another account; register under a handle of your own`,
  );
}
