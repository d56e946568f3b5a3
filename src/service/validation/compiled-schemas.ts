import { LRUCache } from "lru-cache";
import {
  compileAndMeasure,
  type JsonObject,
  type MeasuredValidator,
  type Validator,
} from "../../domain/json-schema/index.js";

/**
 * Memory of a compiled schema, in characters of a document. A character can take 100 bytes, a pattern 8 KB,
 * and each instruction of a pattern 170 bytes. The weights of patterns are about twice as much, because
 * compiling the next schema needs memory as well.
 */
const PATTERN_WEIGHT = 200;
const INSTRUCTION_WEIGHT = 4;

/**
 * LRU cache of compiled schemas. Cached schemas are never stale, because a key always belongs to the same
 * document.
 */
export class CompiledSchemas {
  readonly #validators: LRUCache<string, Validator>;

  /** @param maxSize maximum memory of the cache, in characters of documents without patterns */
  constructor(private readonly maxSize: number) {
    this.#validators = new LRUCache({ maxSize });
  }

  get(key: string): Validator | undefined {
    return this.#validators.get(key);
  }

  /** Compiles a schema, and caches it unless it is larger than the cache. */
  compile(key: string, document: JsonObject): Validator {
    const { validator, patterns, instructions } = compileOrRefuse(document);
    const size =
      JSON.stringify(document).length + PATTERN_WEIGHT * patterns + INSTRUCTION_WEIGHT * instructions;
    if (size <= this.maxSize) this.#validators.set(key, validator, { size });
    return validator;
  }

  /** Evicts all schemas. */
  clear(): void {
    this.#validators.clear();
  }
}

/**
 * Compiles a schema. If this fails, returns a validator that rejects every payload. A registered schema can
 * fail only if an older version of Wireroom accepted it and this version does not.
 */
function compileOrRefuse(document: JsonObject): MeasuredValidator {
  try {
    return compileAndMeasure(document);
  } catch (error) {
    const message = `this version of Wireroom cannot compile the schema: ${error instanceof Error ? error.message : String(error)}`;
    const validator: Validator = () => [{ instancePath: "", keyword: "schema", message }];
    return { validator, patterns: 0, instructions: 0 };
  }
}
