import type { Resource } from "../document.js";
import type { Node, Rule } from "../evaluation.js";
import type { JsonObject } from "../values.js";

/** What a rule is made from: the schema object that it stands in, and the way to the schemas below and elsewhere. */
export interface Site {
  readonly schema: JsonObject;
  /** The schema under these steps from the schema object. */
  child(...steps: (string | number)[]): Node;
  /** The schema that a reference leads to, and the anchor to look up again where the reference is dynamic. */
  target(reference: string): { node: Node; dynamic?: string };
  /** The schema that has this dynamic anchor in this resource. */
  dynamicAnchor(resource: Resource, name: string): Node | undefined;
}

/** Makes the rule of one keyword; undefined where the keyword asks for nothing by itself. */
export type RuleMaker = (value: never, site: Site) => Rule | undefined;

/** A rule that looks at the value itself, never at what is below it. */
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
