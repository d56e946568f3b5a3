/** Resolves references in a JSON Schema document. */

export type SchemaObject = Record<string, unknown>;

/** The schema that a reference points to. */
export interface SchemaTarget {
  /** An object, or `true` or `false`. */
  schema: unknown;
  /** Last segment of the reference, from which a type name can be derived. */
  hint: string;
}

export class SchemaTargets {
  readonly #anchors = new Map<string, unknown>();
  /** True if a subschema has an `$id`. References are then not resolved, because a fragment is ambiguous. */
  #hasNestedId = false;

  constructor(private readonly document: SchemaObject) {
    this.#index(document);
  }

  find(ref: string): SchemaTarget | undefined {
    if (this.#hasNestedId) return undefined;
    const own = typeof this.document.$id === "string" ? this.document.$id.replace(/#$/, "") : "";
    const [base, fragment = ""] = ref.split("#", 2) as [string, string?];
    if (base !== "" && base !== own) return undefined;
    const path = decode(fragment);
    if (path === undefined) return undefined;
    const schema = path === "" || path.startsWith("/") ? this.#at(path) : this.#anchors.get(path);
    if (schema === undefined) return undefined;
    return { schema, hint: path.slice(path.lastIndexOf("/") + 1) };
  }

  #at(pointer: string): unknown {
    const steps = pointer.split("/").slice(1);
    return steps.reduce<unknown>((value, step) => {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      return typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as SchemaObject)[key]
        : undefined;
    }, this.document);
  }

  #index(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const { $id, $anchor, $dynamicAnchor } = value as SchemaObject;
    if (value !== this.document && typeof $id === "string") this.#hasNestedId = true;
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === "string") this.#anchors.set(name, value);
    for (const part of Object.values(value)) this.#index(part);
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
