/** Lets operators find any handle (docs/specification/dashboard-operations.md#operators). */
import { isoTime, isoTimeOrNull, now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import {
  isAccountSuspended,
  type ListedHandle,
  listAnyHandles,
  suspensionOf,
} from "../../store/accounts/operators.js";
import type { Session } from "../../store/engine/engine.js";
import { RoundTrip } from "../../store/engine/selects.js";
import { usageOf } from "../../store/limits/usage.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
import { handleByName } from "../shared/handle-by-name.js";
import { assertOperator } from "./assert-operator.js";

export const listAnyHandlesHandler = read("operator.listHandles", async (ctx, input, session) => {
  await assertOperator(ctx, session);
  const { q = "", suspended, limit = DEFAULT_PAGE_SIZE } = input;
  const text = handleSlug(q).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const scope = ["operator.listHandles", ctx.caller.id, JSON.stringify([text, suspended ?? null])];
  const found = await listAnyHandles(session, {
    text: text === "" ? undefined : text,
    isSuspended: suspended && suspended === "true",
    before: decodeCursor(ctx, scope, input.cursor)?.[0],
    limit: limit + 1,
  });
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
  return { handles: await withUsage(session, items), next_cursor };
});

export const getAnyHandle = read("operator.getHandle", async (ctx, input, session) => {
  await assertOperator(ctx, session);
  const { pk, account, suspendedAt, resource } = await handleByName(session, input.slug);
  const { id, slug, display_name, bio, tags, discoverable, created_at } = resource;
  const [usage] = await wiresLastDay(session, [{ pk, account }]);
  const suspension =
    suspendedAt === null ? undefined : await suspensionOf(session, { pk, account, slug }, suspendedAt);
  return {
    id,
    slug,
    display_name,
    discoverable,
    suspended_at: isoTimeOrNull(suspendedAt),
    created_at,
    wires_last_day: usage!,
    bio,
    tags,
    account_suspended: await isAccountSuspended(session, account),
    suspended_by: suspension?.actor ?? null,
    suspended_reason: suspension?.reason ?? null,
  };
});

async function withUsage(session: Session, handles: readonly ListedHandle[]) {
  const counts = await wiresLastDay(session, handles);
  return handles.map(({ id, slug, display_name, discoverable, suspended_at, created_at }, n) => ({
    id,
    slug,
    display_name,
    discoverable: discoverable === 1,
    suspended_at: isoTimeOrNull(suspended_at),
    created_at: isoTime(created_at),
    wires_last_day: counts[n]!,
  }));
}

/** For each handle, returns how many wires count against its daily limit. */
async function wiresLastDay(
  session: Session,
  handles: readonly { pk: number; account: number }[],
): Promise<number[]> {
  const senders = handles.map(({ pk, account }) => ({ pk, account: { pk: account } }));
  const usage = await usageOf(new RoundTrip(session), ["wires_per_day"], senders, now());
  return usage.map(([perDay]) => perDay!.used);
}
