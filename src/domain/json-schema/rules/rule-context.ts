import type { Resource } from "../document.js";
import type { Rule, SchemaNode } from "../evaluation.js";
import type { JsonObject } from "../values.js";

/**
 * The data from which a rule is compiled: its schema object, and access to the other schemas of the document.
 */
export interface RuleContext {
  readonly schema: JsonObject;
  /**
   * Returns the node of a subschema.
   * @param steps the path of the subschema, relative to the schema object
   */
  child(...steps: (string | number)[]): SchemaNode;
  /**
   * Returns the schema that a reference points to. For a `$dynamicRef`, `dynamic` is the name of its anchor,
   * because the validation looks for a `$dynamicAnchor` of that name first.
   */
  target(reference: string): { node: SchemaNode; dynamic?: string };
  /** Returns a function that tests whether a text matches a pattern. */
  matcher(pattern: string): (text: string) => boolean;
  /** Returns the node with this dynamic anchor in the resource. */
  dynamicAnchor(resource: Resource, name: string): SchemaNode | undefined;
}

/** Compiles one keyword to a rule. Returns undefined if the keyword has no effect with this value. */
export type RuleFactory = (value: never, context: RuleContext) => Rule | undefined;

/** Returns a rule that tests a value with the function `holds`. The rule applies no subschema. */
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
