/** The subschemas of a document, with the targets of their references as the validator finds them. */

import { ANNOTATION_KEYWORDS, PURE_ANNOTATIONS, withoutKeywords } from "../json-schema/annotations.js";
import { SchemaDocument as DocumentIndex, type Subschema } from "../json-schema/document.js";
import { canonicalText, type JsonObject, type JsonSchema, pointerStep } from "../json-schema/values.js";

export interface SchemaNode extends Subschema {
  readonly document: SchemaDocument;
  /** Equal only for schemas that accept the same values. */
  readonly key: string;
}

export class SchemaDocument {
  readonly root: SchemaNode;
  /** Each `$dynamicRef` that has several possible targets. The comparison ignores it. */
  readonly ambiguous: SchemaNode[];
  private readonly index: DocumentIndex;
  private readonly nodes = new Map<string, SchemaNode>();

  constructor(schema: JsonSchema, name: "older" | "newer") {
    this.index = new DocumentIndex(withoutKeywords(schema, PURE_ANNOTATIONS));
    for (const subschema of this.index.subschemas.values()) {
      const text = canonicalText(subschema.schema);
      // References with the same text can have different targets in the two documents.
      const key = /"\$(dynamicR|r)ef":/.test(text) ? `${name} ${subschema.pointer}` : text;
      this.nodes.set(subschema.pointer, { ...subschema, document: this, key });
    }
    this.root = this.nodes.get("")!;
    this.ambiguous = [...this.nodes.values()].filter(
      (node) => "$dynamicRef" in keywordsOf(node) && this.target(node, "$dynamicRef") === undefined,
    );
  }

  child(node: SchemaNode, ...steps: (string | number)[]): SchemaNode {
    return this.nodes.get(node.pointer + steps.map(pointerStep).join(""))!;
  }

  /** Returns undefined if a `$dynamicRef` has several possible targets. */
  target(node: SchemaNode, keyword: "$ref" | "$dynamicRef"): SchemaNode | undefined {
    const target = this.index.resolve(node, keywordsOf(node)[keyword] as string);
    const name = keyword === "$dynamicRef" ? target?.dynamic : undefined;
    const resources = [...this.index.resources.values()];
    const anchors = resources.filter(({ dynamicAnchors }) => dynamicAnchors.has(name!));
    return anchors.length > 1 ? undefined : target && this.nodes.get(target.subschema.pointer);
  }
}

export function keywordsOf({ schema }: SchemaNode): JsonObject {
  return typeof schema === "boolean" ? {} : schema;
}

/** Returns the keywords of a schema that may reject values. */
export function assertions(node: SchemaNode): string[] {
  return Object.keys(keywordsOf(node)).filter((keyword) => !ANNOTATION_KEYWORDS.has(keyword));
}

export function prefixLength(node: SchemaNode): number {
  const { prefixItems = [] } = keywordsOf(node) as Record<string, unknown[]>;
  return prefixItems.length;
}
