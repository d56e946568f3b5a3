/** Parses arguments that name handles, spaces or wires. Most parsers save the name in `session.hintNames`. */
import { Failure } from "../failure.js";
import { handleSlug } from "../profiles/endpoint.js";
import type { Session } from "../session.js";

/** Returns the space's slug for `ops` or `#ops`. Throws a `Failure` if the argument names a handle. */
export function parseSpaceArgument(session: Session, name: string): string {
  const slug = name.replace(/^#/, "");
  if (name.startsWith("@"))
    throw new Failure("USAGE", `${JSON.stringify(name)} is a handle; expected a space, such as ops`);
  session.hintNames.space = slug;
  return slug;
}

/** Returns the argument unchanged, because the service accepts it with and without `@`. */
export function parseHandleArgument(session: Session, name: string): string {
  session.hintNames.handle = handleSlug(name);
  return name;
}

/** Returns the argument unchanged. */
export function parseWireArgument(session: Session, name: string): string {
  session.hintNames.wire = name;
  return name;
}

export function parseOwnHandleArgument(session: Session, name: string): string {
  const slug = handleSlug(name);
  session.hintNames.ownHandle = slug;
  return slug;
}

/** Parses `@bob` or `#ops`. Also accepts `space:ops`, because `#` starts a comment in most shells. */
export function parseEgressTarget(name: string): string {
  const target = name.replace(/^space:/, "#");
  if (/^[@#][a-z0-9-]{3,32}$/.test(target)) return target;
  throw new Failure("USAGE", `${JSON.stringify(name)} is not a valid target`, [
    "Use @bob for a handle, and space:ops or '#ops' for a space.",
  ]);
}

/** Returns a hint for the case that the first word of a command is meant as the handle. */
export function handleHints(word: string): string[] {
  if (!/^@?[a-z0-9-]{3,32}$/.test(word)) return [];
  return [`If ${word} is the handle, write it before the command: --as ${word}`];
}
