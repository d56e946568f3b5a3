/** Decides whether a new handle or space can have a slug (docs/specification/names.md#slugs). */
import { invalid, type Reason, WireroomError } from "../contract/errors.js";

/**
 * Who owns a slug: nobody, another account, the caller's account, or a retired handle of the caller's
 * account.
 */
export type SlugHolder = "nobody" | "another" | "caller" | "retired";

/**
 * Thrown if another account owns the slug. A 429 takes precedence over this error, unlike over other 400
 * errors. Otherwise, a caller could exceed its rate limit to try many slugs and find private spaces.
 */
export class SlugTakenError extends WireroomError {
  constructor(reason: Reason) {
    super("VALIDATION_ERROR", `${reason.instancePath}: ${reason.message}`, { errors: [reason] });
  }
}

/** Throws VALIDATION_ERROR if the slug is reserved for the service or already taken. */
export function assertSlugAvailable(slug: string, kind: "handle" | "space", holder: SlugHolder): void {
  const reasonOf = (message: string) => ({ instancePath: "/slug", keyword: "slug", message });
  if (slug.includes("wireroom"))
    throw invalid(reasonOf('a name that contains "wireroom" is reserved; choose another one'));
  const name = `the ${kind} ${kind === "handle" ? "@" : "#"}${slug}`;
  switch (holder) {
    case "nobody":
      return;
    case "another":
      throw new SlugTakenError(reasonOf(`${name} is taken; choose another one`));
    case "caller":
      throw invalid(reasonOf(`${name} already exists and is yours; use it, or choose another one`));
    case "retired":
      throw invalid(
        reasonOf(`${name} is retired, and a retired name cannot be used again; choose another one`),
      );
  }
}
