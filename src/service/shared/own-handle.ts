import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { anyHandleBySlug } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";

/** pk of a handle of the account's, retired ones included. Throws 404 for any other, which a filter does not tell apart. */
export async function ownHandle(session: Session, account: number, name: string): Promise<number> {
  const slug = handleSlug(name);
  const handle = await anyHandleBySlug(session, slug);
  if (handle?.account !== account) throw noSuchHandle(slug);
  return handle.pk;
}
