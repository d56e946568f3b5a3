/**
 * Lets operators read and remove other accounts' wires. Before a read responds, it is logged for every
 * account whose wires it shows (docs/specification/dashboard-operations.md#reading-as-an-operator).
 */
import type { Input } from "../../contract/index.js";
import { noSuchHandle, noSuchWire } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { encodeJsonText } from "../../kernel/raw-json.js";
import { handleByPk, handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import { recipientsOf } from "../../store/accounts/operators.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { assertOperator } from "../access/handles.js";
import { findWire, lockWire } from "../access/wires.js";
import { findAuditedError, logAuditEvents } from "../pipeline/audit.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite, write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { presentWire } from "../reading/present-wire.js";
import { sentWires } from "../reading/wire-pages.js";

interface Owned {
  pk: number;
  account: number;
}

interface ReadWires<Body> {
  body: Body;
  /** The handles whose accounts get an audit entry: the sender, and the recipients of direct messages. */
  handles: readonly Owned[];
  /** The audit subject: the wire, or the sender whose wires are listed. */
  subject: string;
}

export const getAnyWire = preparedWrite(
  "operator.getWire",
  loggedRead(async (ctx, input: Input<"operator.getWire">, session) => {
    const wire = await findWire(ctx, session, input.id);
    if (!wire) throw noSuchWire();
    const sender = (await handleByPk(session, wire.sender))!;
    return {
      body: await presentWire(session, wire, wire.space),
      handles: [sender, ...(await recipientsOf(session, [wire.pk]))],
      subject: `wire:${wire.id}`,
    };
  }),
);

export const listAnyWires = preparedWrite(
  "operator.listWires",
  loggedRead(async (ctx, input: Input<"operator.listWires">, session) => {
    const { cursor, limit, brief } = input;
    const slug = handleSlug(input.sender);
    const sender = await handleBySlugIncludingRetired(session, slug);
    if (!sender) throw noSuchHandle(slug);
    const scope = ["operator.listWires", ctx.caller.id, sender.resource.id];
    const query = { sender: sender.pk, isComplete: true, cursor, limit, brief };
    const { body, pks } = await sentWires(ctx, session, scope, query);
    return { body, handles: [sender, ...(await recipientsOf(session, pks))], subject: `@${slug}` };
  }),
);

/**
 * Returns a handler that reads before its transaction, so that a slow read does not delay other writes. The
 * transaction only logs the read.
 */
function loggedRead<In, Body>(
  readWires: (ctx: Context<Agent>, input: In, session: Session) => Promise<ReadWires<Body>>,
) {
  return {
    async prepare(ctx: Context<Agent>, input: In): Promise<ReadWires<Body>> {
      const { engine, verification } = ctx.store;
      await assertMayRead(ctx, engine.reader);
      const found = await readWires(ctx, input, engine.reader);
      verification.assertValid(encodeJsonText(found.body));
      return found;
    },
    async run(
      ctx: Context<Agent>,
      _input: In,
      tx: Transaction,
      { body, handles, subject }: ReadWires<Body>,
    ): Promise<Body> {
      await assertMayRead(ctx, tx);
      logRead(ctx, tx, handles, subject);
      return body;
    },
  };
}

async function assertMayRead(ctx: Context<Agent>, session: Session): Promise<void> {
  await assertOperator(ctx, session);
  const error = await findAuditedError(ctx, session, "RATE_LIMITED");
  if (error) throw error;
}

function logRead(ctx: Context<Agent>, tx: Transaction, handles: readonly Owned[], subject: string): void {
  const { pk, account } = ctx.caller;
  const owners = new Map([{ pk, account: account.pk }, ...handles].map((owned) => [owned.pk, owned.account]));
  const entries = [...owners].map(
    ([handle, owner]) => ({ account: owner, handle, action: "wire.read", subject }) as const,
  );
  logAuditEvents(ctx, tx, ...entries);
}

/** Removes any wire. The response omits the content, because the operator may not be allowed to read it. */
export const removeAnyWire = write("operator.removeWire", async (ctx, input, tx) => {
  await assertOperator(ctx, tx);
  const wire = await lockWire(ctx, tx, input.id);
  if (!wire) throw noSuchWire();
  return removeWire(ctx, tx, wire, "operator", input.reason);
});
