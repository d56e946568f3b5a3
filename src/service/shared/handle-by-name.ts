import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import {
  handleBySlug,
  handleBySlugIncludingRetired,
  type StoredHandle,
} from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";

/**
 * Returns the handle with this slug, with or without a leading `@`. Throws 404 if it does not exist or is
 * retired.
 */
export async function handleByName(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlug(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}

/** Returns the handle with this slug, even if it is retired. Throws 404 if it never existed. */
export async function handleByNameIncludingRetired(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}
