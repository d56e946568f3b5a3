import { LRUCache } from "lru-cache";
import { compileSchema, type JsonObject, type Validator } from "../../domain/json-schema/index.js";

/** LRU cache of compiled schemas. Cached schemas are never stale, because a key always belongs to the same document. */
export class CompiledSchemas {
  readonly #validators: LRUCache<string, Validator>;
  #dropped: string[] = [];

  /**
   * @param maxCharacters maximum total length of the documents in the cache; a compiled schema can take 100 times as much
   *   memory as its document
   */
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

  /** Returns the keys that were evicted since the last call, and clears the list. */
  takeDropped(): string[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }
}

/**
 * Compiles a schema. If this fails, returns a validator that rejects every payload. A registered schema can fail only if an
 * older version of Wireroom accepted it and this version does not.
 */
function compileOrRefuse(document: JsonObject): Validator {
  try {
    return compileSchema(document);
  } catch (error) {
    const message = `this version of Wireroom cannot compile the schema: ${error instanceof Error ? error.message : String(error)}`;
    return () => [{ instancePath: "", keyword: "schema", message }];
  }
}
