import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlug, type StoredHandle } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";

/** The handle of a name whose `@` is optional. Throws 404. */
export async function namedHandle(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlug(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}
