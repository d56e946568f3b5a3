import type { Reason } from "../../contract/errors.js";
import { type Resource, SchemaDocument, type Subschema } from "./document.js";
import { EnoughReasons, Node, Run } from "./evaluation.js";
import { inOrderOfEvaluation } from "./keywords.js";
import { ANY_RULES } from "./rules/any.js";
import { ARRAY_RULES } from "./rules/arrays.js";
import { IN_PLACE_RULES } from "./rules/in-place.js";
import { NUMBER_RULES } from "./rules/numbers.js";
import { OBJECT_RULES } from "./rules/objects.js";
import type { RuleMaker, Site } from "./rules/site.js";
import { STRING_RULES } from "./rules/strings.js";
import { type JsonObject, pointerStep } from "./values.js";

const RULES = new Map<string, RuleMaker>(
  [ANY_RULES, NUMBER_RULES, STRING_RULES, ARRAY_RULES, OBJECT_RULES, IN_PLACE_RULES].flatMap(Object.entries),
);

export type Validator = (payload: unknown, isStopped?: () => boolean) => Reason[];

/**
 * Makes the validator of a document that `checkSchema` has accepted. It takes any JSON value and gives the reasons why
 * it is invalid, none where it is valid. It throws `Stopped` soon after `isStopped` says so, and nothing else.
 *
 * An interpreter of our own, not Ajv 8.20, because Ajv's generated code is wrong where documents of others must not be
 * judged wrongly (`contains` in a loop, `$dynamicRef`, `$id` inside a document, `unevaluated*`), takes 300 ms to compile what this
 * compiles in 5, cannot stop at a number of errors, and keeps no verdicts, so that doubling `$ref`s take forever.
 * @throws where the document was not accepted: a reference, format or pattern that cannot be used.
 */
export function compileSchema(document: JsonObject): Validator {
  const root = new Linker(new SchemaDocument(document)).link();
  return (payload, isStopped = never) => {
    const run = new Run(isStopped);
    try {
      if (!root.accepts(run, payload)) root.explain(run, payload, "");
    } catch (error) {
      if (error instanceof RangeError) return [TOO_DEEP];
      if (!(error instanceof EnoughReasons)) throw error;
    }
    return run.reasons;
  };
}

const never = () => false;

const TOO_DEEP: Reason = {
  instancePath: "",
  keyword: "depth",
  message: "the payload and the schema together nest too deeply to validate: nest one of them less",
};

/** Turns each schema of a document into a node, with the references between them tied. */
class Linker {
  readonly #nodes = new Map<string, Node>();
  readonly #references = new Map<Node, number>();
  readonly #isDynamic: boolean;

  constructor(readonly document: SchemaDocument) {
    this.#isDynamic = [...document.subschemas.values()].some(
      ({ schema }) => typeof schema === "object" && "$dynamicRef" in schema,
    );
  }

  link(): Node {
    for (const pointer of this.document.subschemas.keys()) this.#nodes.set(pointer, new Node());
    for (const subschema of this.document.subschemas.values()) this.#fill(subschema);
    for (const [pointer, node] of this.#nodes) {
      if (this.#isDynamic) node.resource = this.document.subschemas.get(pointer)?.resource;
      else node.shared = this.#isShared(pointer, node);
    }
    return this.#node("");
  }

  #fill(subschema: Subschema): void {
    const node = this.#node(subschema.pointer);
    const { schema } = subschema;
    if (schema === true) return;
    if (schema === false) {
      node.rules.push(NEVER);
      return;
    }
    const site = this.#site(subschema, schema);
    for (const keyword of inOrderOfEvaluation(Object.keys(schema))) {
      const rule = RULES.get(keyword)?.(schema[keyword] as never, site);
      if (rule) (keyword.startsWith("unevaluated") ? node.last : node.rules).push(rule);
    }
  }

  #site(subschema: Subschema, schema: JsonObject): Site {
    return {
      schema,
      child: (...steps) => this.#node(subschema.pointer + steps.map(pointerStep).join("")),
      target: (reference) => {
        const target = this.document.resolve(subschema, reference);
        if (target === undefined) throw new Error(`${reference} does not resolve`);
        const node = this.#node(target.subschema.pointer);
        this.#references.set(node, (this.#references.get(node) ?? 0) + 1);
        return { node, dynamic: target.dynamic };
      },
      dynamicAnchor: (resource, name) => this.#dynamicAnchor(resource, name),
    };
  }

  #dynamicAnchor(resource: Resource, name: string): Node | undefined {
    const subschema = resource.dynamicAnchors.get(name);
    return subschema && this.#nodes.get(subschema.pointer);
  }

  /** Whether two ways may lead here: two references, or one beside the place where the schema stands. */
  #isShared(pointer: string, node: Node): boolean {
    const references = this.#references.get(node) ?? 0;
    return references > 1 || (references === 1 && !/\/(\$defs|definitions)\/[^/]*$/.test(pointer));
  }

  #node(pointer: string): Node {
    const node = this.#nodes.get(pointer);
    if (node === undefined) throw new Error(`no schema at ${pointer}`);
    return node;
  }
}

const NEVER = {
  accepts: () => false,
  explain: (run: Run, _value: unknown, path: string) => run.report(path, "false", "must not be there"),
};
