import { WireroomError } from "../../contract/errors.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import {
  handleBySlug,
  handleBySlugIncludingRetired,
  type StoredHandle,
} from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/** Returns the handle with this slug (with or without `@`). Throws 404 if it is unknown or retired. */
export async function handleByName(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlug(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}

/** Returns the handle with this slug, even if it is retired. Throws 404 if the handle never existed. */
export async function handleByNameIncludingRetired(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}

/** Returns the account's handle, even if it is retired. Throws 404 if another account owns the handle. */
export async function ownHandleIncludingRetired(session: Session, account: number, name: string) {
  const handle = await handleByNameIncludingRetired(session, name);
  if (handle.account !== account) throw noSuchHandle(handle.resource.slug);
  return handle;
}

/** Returns the caller's handle. Throws 404 if the handle is unknown, or 403 if another account owns it. */
export async function ownHandle(ctx: Context<Human>, session: Session, name: string) {
  const handle = await handleByName(session, name);
  if (handle.account === ctx.caller.account.pk) return handle;
  throw new WireroomError("FORBIDDEN", `@${handle.resource.slug} belongs to another account`);
}
