/**
 * Gives equivalent subschemas of the old and the new document the same id, so that they need no comparison.
 */

import { canonicalText, isObject } from "../../json-schema/values.js";
import { isSchema, type SchemaDocument, type SchemaNode } from "./document.js";
import {
  ANNOTATION_KEYWORDS,
  SUBSCHEMA_KEYWORDS,
  SUBSCHEMA_LIST_KEYWORDS,
  SUBSCHEMA_MAP_KEYWORDS,
} from "./keywords.js";

/**
 * Maximum number of rounds of `assignEquivalenceClasses`. If more rounds are needed, references count as
 * equal only if they point to the same schema.
 */
const MAX_ROUNDS = 30;

/**
 * Sets each node's `classId`, so that equivalent schemas have the same id. The first round treats all
 * references as equal. Each further round separates schemas whose references lead to different classes. The
 * rounds end when a round separates nothing, or at `MAX_ROUNDS`.
 */
export function assignEquivalenceClasses(documents: SchemaDocument[]): void {
  const nodes = documents.flatMap((document) => document.nodes);
  const targets = new Map(nodes.map((node) => [node, node.document.targets(node)]));
  let reference: (target: SchemaNode) => string | number = () => "";
  for (let round = 0, classes = 0; ; round++) {
    const found = assign(nodes, targets, reference);
    if (found === classes) return;
    classes = found;
    if (round < MAX_ROUNDS) {
      const previous = new Map(nodes.map((node) => [node, node.classId]));
      reference = (target) => previous.get(target) as number;
    } else {
      reference = (target) => `${documents.indexOf(target.document)}:${target.pointer}`;
      assign(nodes, targets, reference);
      return;
    }
  }
}

type Targets = Map<SchemaNode, (SchemaNode | undefined)[]>;

/** Runs one round of `assignEquivalenceClasses`. Returns the number of classes. */
function assign(
  nodes: SchemaNode[],
  targets: Targets,
  reference: (target: SchemaNode) => string | number,
): number {
  const ids = new Map<string, number>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as SchemaNode;
    const to = (targets.get(node) ?? []).map((target) => (target ? reference(target) : `?${i}`));
    const text = signature(node, to);
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    node.classId = id;
  }
  return ids.size;
}

const HOLDERS: ReadonlySet<string> = new Set([
  ...SUBSCHEMA_KEYWORDS,
  ...SUBSCHEMA_LIST_KEYWORDS,
  ...SUBSCHEMA_MAP_KEYWORDS,
]);
const SETS: ReadonlySet<string> = new Set(["enum", "required"]);

/**
 * Returns the same text for all schemas with equal assertions. In the text, class ids stand for subschemas
 * and references.
 */
function signature(node: SchemaNode, references: (string | number)[]): string {
  const { schema } = node;
  if (!isObject(schema)) return schema ? "" : "false";
  const parts = references.map((target) => `ref:${target}`);
  for (const keyword of Object.keys(schema).sort()) {
    if (ANNOTATION_KEYWORDS.has(keyword) || keyword === "$ref" || keyword === "$dynamicRef") continue;
    parts.push(`${JSON.stringify(keyword)}:${valueText(node, keyword, schema[keyword])}`);
  }
  return parts.join(",");
}

function valueText(node: SchemaNode, keyword: string, value: unknown): string {
  if (SETS.has(keyword) && Array.isArray(value)) return [...new Set(value.map(canonicalText))].sort().join();
  if (!HOLDERS.has(keyword)) return canonicalText(value);
  if (Array.isArray(value)) {
    const ids = value.map((_, index) => node.document.child(node, keyword, index).classId);
    return `[${(keyword === "prefixItems" ? ids : ids.sort((a, b) => a - b)).join()}]`;
  }
  if (isObject(value) && SUBSCHEMA_MAP_KEYWORDS.includes(keyword)) {
    const entry = (name: string) => {
      const part = value[name];
      return [name, isSchema(part) ? node.document.child(node, keyword, name).classId : part];
    };
    return canonicalText(Object.keys(value).sort().map(entry));
  }
  return `#${node.document.child(node, keyword).classId}`;
}
