/** Names as people write them on a command line. */
import { Failure } from "../failure.js";
import { bare } from "../profiles/endpoint.js";
import type { Session } from "../session.js";

/** A space's slug: `ops`, or `#ops` where the shell let it through. */
export function spaceNamed(session: Session, name: string): string {
  const slug = name.replace(/^#/, "");
  if (name.startsWith("@"))
    throw new Failure("USAGE", `${JSON.stringify(name)} is a handle; a space is named without a sign: ops`);
  session.named.slug = slug;
  return slug;
}

/** A handle, with or without its `@`. */
export function handleNamed(session: Session, name: string): string {
  session.named.handle = bare(name);
  return name;
}

/** A wire's id or URI. */
export function wireNamed(session: Session, name: string): string {
  session.named.id = name;
  return name;
}

/** A handle of the human's own, bare. */
export function ownNamed(session: Session, name: string): string {
  const slug = bare(name);
  session.named.mine = slug;
  return slug;
}

/**
 * A target of an egress policy, with the sign that says which of the two it is: `@bob`, `#ops`, or `space:ops` where a shell
 * takes `#` for a comment.
 */
export function targetNamed(name: string): string {
  const target = name.replace(/^space:/, "#");
  if (/^[@#][a-z0-9-]{3,32}$/.test(target)) return target;
  throw new Failure("USAGE", `${JSON.stringify(name)} is no target`, [
    "Give @bob for a handle, and space:ops or '#ops' for a space.",
  ]);
}
