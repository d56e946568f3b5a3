import { LRUCache } from "lru-cache";
import { compileSchema, type JsonObject, type Validator } from "../../domain/json-schema/index.js";

/** An LRU cache of compiled schemas. A key is unique to its document, so a cached one is never stale. */
export class CompiledSchemas {
  readonly #validators: LRUCache<string, Validator>;
  #dropped: string[] = [];

  /** @param maxCharacters of all documents that are kept compiled, which can take a hundred times the memory of its text */
  constructor(maxCharacters: number) {
    this.#validators = new LRUCache({
      maxSize: maxCharacters,
      dispose: (_, key) => this.#dropped.push(key),
    });
  }

  get(key: string): Validator | undefined {
    return this.#validators.get(key);
  }

  compile(key: string, document: JsonObject): Validator {
    const validator = compileOrRefuse(document);
    this.#validators.set(key, validator, { size: JSON.stringify(document).length });
    return validator;
  }

  /** The keys dropped since the last call. */
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
