/** Groups equivalent subschemas of both documents, so that unchanged parts need no comparison. */

import { canonical, isObject } from "../json.js";
import { escapeToken, type SchemaDocument, type SchemaNode } from "./document.js";
import { ANNOTATIONS, LISTS, MAPS, SINGLE } from "./keywords.js";

/** Rounds after which references that still split classes are distinguished by location instead. */
const MAX_ROUNDS = 30;

/**
 * Gives every node its `classId`. Two nodes share one when their schemas unfold to the same (possibly infinite)
 * tree: first every reference counts as equal, then classes are split by the class of what is referred to until
 * nothing splits any more.
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

/** Runs one round, from the leaves up; returns the number of classes. */
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

const HOLDERS: ReadonlySet<string> = new Set([...SINGLE, ...LISTS, ...MAPS]);
const SETS: ReadonlySet<string> = new Set(["enum", "required"]);

/** A key for the assertions of a node, with its subschemas and references by class. */
function signature(node: SchemaNode, references: (string | number)[]): string {
  const { schema } = node;
  if (!isObject(schema)) return schema ? "" : "false";
  const parts = references.map((target) => `ref:${target}`);
  for (const keyword of Object.keys(schema).sort()) {
    if (ANNOTATIONS.has(keyword) || keyword === "$ref" || keyword === "$dynamicRef") continue;
    parts.push(`${JSON.stringify(keyword)}:${valueText(node, keyword, schema[keyword])}`);
  }
  return parts.join(",");
}

function valueText(node: SchemaNode, keyword: string, value: unknown): string {
  if (SETS.has(keyword) && Array.isArray(value)) return [...new Set(value.map(canonical))].sort().join();
  if (!HOLDERS.has(keyword)) return canonical(value);
  if (Array.isArray(value)) {
    const ids = value.map((_, index) => node.document.child(node, keyword, index).classId);
    return `[${(keyword === "prefixItems" ? ids : ids.sort((a, b) => a - b)).join()}]`;
  }
  if (isObject(value) && (MAPS as readonly string[]).includes(keyword)) {
    const entry = (name: string) =>
      `${escapeToken(name)}#${node.document.child(node, keyword, name).classId}`;
    return canonical(Object.keys(value).sort().map(entry));
  }
  return `#${node.document.child(node, keyword).classId}`;
}
