import { invalid } from "../../contract/errors.js";

/** The service's own name is kept out of handles and spaces (specification, POST /handles; decisions, section 1). */
export function assertSlugFree(slug: string, what: "handle" | "space", taken: boolean): void {
  const message = slug.includes("wireroom")
    ? 'a slug that contains "wireroom" is reserved; choose another'
    : taken
      ? `the ${what} ${what === "handle" ? "@" : "#"}${slug} is taken; choose another slug`
      : undefined;
  if (message) throw invalid({ instancePath: "/slug", keyword: "slug", message });
}
