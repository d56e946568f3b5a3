import { invalid, WireroomError } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import type { SchemaRecord } from "../../contract/shapes.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleBySlug } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { insertSchema, type StoredSchema, schemaByRef } from "../../store/schemas.js";
import type { Agent, Context } from "../pipeline/context.js";
import { preparedWrite, Stale } from "../pipeline/handler.js";
import { listSchema } from "../shared/list-on-switchboard.js";

interface Checked {
  compat: SchemaRecord["compat"];
  /** Version that the new one was checked against; 0 where it is the first. */
  latest: number;
}

export const registerSchema = preparedWrite("schemas.register", {
  prepare: check,
  // By account too: what a stranger tries under the subject must not hold up its owner.
  mutexKey: (ctx, input) => `${ctx.caller.account.id} ${input.subject}`,

  async run(ctx, input, tx, { compat, latest }: Checked) {
    await assertOwnSubject(ctx, tx, input.subject);
    const current = await schemaByRef(tx, input.subject);
    if ((current?.resource.version ?? 0) !== latest) throw new Stale();
    const version = latest + 1;
    const pk = await insertSchema(tx, {
      subject: input.subject,
      version,
      compat,
      jsonSchema: input.json_schema,
      registrar: ctx.caller.pk,
      createdAt: now(),
    });
    await listSchema(tx, input.subject, pk);
    return { ref: `${input.subject}@${version}`, version };
  },
});

/** Compiles and compares off the event loop, before the transaction: a schema of others may take long. */
async function check(ctx: Context<Agent>, input: Input<"schemas.register">): Promise<Checked> {
  const faults = await ctx.validators.check(input.json_schema);
  if (faults.length > 0)
    throw invalid(faults.map((fault) => ({ ...fault, instancePath: `/json_schema${fault.instancePath}` })));
  const latest = await schemaByRef(ctx.store.engine.reader, input.subject);
  // `compat` given is the mode that this registration is itself checked under (decisions, section 7).
  const compat = input.compat ?? latest?.resource.compat ?? "none";
  if (latest && compat === "backward") await assertCompatible(ctx, latest, input.json_schema);
  return { compat, latest: latest?.resource.version ?? 0 };
}

async function assertCompatible(ctx: Context<Agent>, latest: StoredSchema, newer: object): Promise<void> {
  const breaking = await ctx.validators.compare(latest.resource.json_schema, newer);
  if (breaking.length === 0) return;
  throw invalid(breaking, `not backward compatible with ${latest.resource.ref}: see errors`);
}

/** The subject's handle must be the caller's, or another of the same account. */
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
