/** Finds schemas that refer to themselves without descending into the instance: they have no defined semantics. */

import { isObject } from "../json.js";
import { type SchemaDocument, type SchemaNode, subschemas } from "./document.js";
import { ANNOTATIONS } from "./keywords.js";

const IN_PLACE_SINGLE = ["not", "if", "then", "else"];
const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"];

/** Whether such a cycle can be reached from the root. Without recursion, so that no depth can overflow the stack. */
export function isCircular(document: SchemaDocument): boolean {
  const state = new Map<SchemaNode, "open" | "done">();
  for (const start of reachable(document)) {
    const stack = [{ node: start, next: inPlace(start) }];
    if (state.has(start)) continue;
    state.set(start, "open");
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.next.pop();
      if (!node) {
        state.set(top.node, "done");
        stack.pop();
      } else if (state.get(node) === "open") {
        return true;
      } else if (!state.has(node)) {
        state.set(node, "open");
        stack.push({ node, next: inPlace(node) });
      }
    }
  }
  return false;
}

/** The schemas that validation can reach. */
function reachable(document: SchemaDocument): Set<SchemaNode> {
  const found = new Set([document.root]);
  for (const node of found) {
    for (const target of document.targets(node)) if (target) found.add(target);
    for (const tokens of subschemas(node.schema)) {
      if (!ANNOTATIONS.has(String(tokens[0]))) found.add(document.child(node, ...tokens));
    }
  }
  return found;
}

/** The subschemas that apply to the same instance as a schema. */
function inPlace(node: SchemaNode): SchemaNode[] {
  const { schema, document } = node;
  if (!isObject(schema)) return [];
  const child = (...tokens: (string | number)[]) => document.child(node, ...tokens);
  const found = document.targets(node).filter((target) => target !== undefined);
  for (const keyword of IN_PLACE_SINGLE) if (keyword in schema) found.push(child(keyword));
  for (const keyword of IN_PLACE_LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) found.push(...list.map((_, index) => child(keyword, index)));
  }
  const dependent = schema.dependentSchemas;
  if (isObject(dependent))
    found.push(...Object.keys(dependent).map((name) => child("dependentSchemas", name)));
  return found;
}
