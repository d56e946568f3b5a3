import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";

/**
 * Returns the primary key of a handle of the account, even if the handle is retired. Throws 404 for an
 * unknown handle and for a handle of another account.
 */
export async function ownHandlePk(session: Session, account: number, name: string): Promise<number> {
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (handle?.account !== account) throw noSuchHandle(slug);
  return handle.pk;
}
