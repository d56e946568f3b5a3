/**
 * Finds schemas that refer back to themselves for the same value, such as `{"$ref": "#"}`. JSON Schema leaves
 * their meaning undefined.
 */

import { isObject } from "../json.js";
import { dependentSchemas, type SchemaDocument, type SchemaNode, subschemas } from "./document.js";
import { ANNOTATION_KEYWORDS } from "./keywords.js";

const IN_PLACE_SINGLE = ["not", "if", "then", "else"];
const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"];

/**
 * Returns whether validation can reach a schema that refers back to itself for the same value. Uses a loop,
 * because recursion could overflow the stack.
 */
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

/** Returns every schema that validation can reach from the root schema. */
function reachable(document: SchemaDocument): Set<SchemaNode> {
  const found = new Set([document.root]);
  for (const node of found) {
    for (const target of document.targets(node)) if (target) found.add(target);
    for (const tokens of subschemas(node.schema)) {
      if (!ANNOTATION_KEYWORDS.has(String(tokens[0]))) found.add(document.child(node, ...tokens));
    }
  }
  return found;
}

/**
 * Returns the schemas that apply to the same value as `node`: the targets of its references, and the
 * subschemas of keywords such as `allOf`.
 */
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
  for (const path of dependentSchemas(schema)) found.push(child(...path));
  return found;
}
