import type { Resource } from "../document.js";
import type { Rule, SchemaNode } from "../evaluation.js";
import type { JsonObject } from "../values.js";

export interface RuleContext {
  readonly schema: JsonObject;
  child(...steps: (string | number)[]): SchemaNode;
  /**
   * Returns the schema that a reference points to. For a `$dynamicRef`, `dynamic` is the anchor's name,
   * because validation first looks for a `$dynamicAnchor` with this name.
   */
  target(reference: string): { node: SchemaNode; dynamic?: string };
  matcher(pattern: string): (text: string) => boolean;
  dynamicAnchor(resource: Resource, name: string): SchemaNode | undefined;
}

/** Compiles one keyword to a rule. Returns undefined if the keyword has no effect with this value. */
export type RuleFactory = (value: never, context: RuleContext) => Rule | undefined;

export function assertion(
  keyword: string,
  holds: (value: unknown) => boolean,
  message: string | ((value: unknown) => string),
): Rule {
  return {
    accepts: (_run, value) => holds(value),
    explain: (run, value, path) =>
      run.report(path, keyword, typeof message === "string" ? message : message(value)),
  };
}
