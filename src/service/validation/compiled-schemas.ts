import { compileSchema, type JsonObject, type Validator } from "../../domain/json-schema/index.js";

/** The compiled schemas of one thread, by key; those used longest ago are dropped first. */
export class CompiledSchemas {
  /** In the order of use. */
  readonly #entries = new Map<string, { validator: Validator; size: number }>();
  #size = 0;
  #dropped: string[] = [];

  /** @param maxCharacters of all documents that are kept compiled, which can take a hundred times the memory of its text */
  constructor(readonly maxCharacters: number) {}

  get(key: string): Validator | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.validator;
  }

  compile(key: string, document: JsonObject): Validator {
    const entry = { validator: compileOrRefuse(document), size: JSON.stringify(document).length };
    this.#entries.set(key, entry);
    this.#size += entry.size;
    for (const [oldest, { size }] of this.#entries) {
      if (this.#size <= this.maxCharacters || oldest === key) break;
      this.#entries.delete(oldest);
      this.#size -= size;
      this.#dropped.push(oldest);
    }
    return entry.validator;
  }

  /** The keys dropped since this was last asked. */
  takeDropped(): string[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}

/** Documents are checked before they are kept, so this fails only where the rules have become stricter since. */
function compileOrRefuse(document: JsonObject): Validator {
  try {
    return compileSchema(document);
  } catch (error) {
    const message = `the schema cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    return () => [{ instancePath: "", keyword: "schema", message }];
  }
}
