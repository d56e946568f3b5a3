import { LRUCache } from "lru-cache";
import {
  compileAndMeasure,
  type JsonObject,
  type MeasuredValidator,
  type Validator,
} from "../../domain/json-schema/index.js";

/**
 * Estimated memory of a pattern, and of each instruction in its compiled form. The unit is the memory of one
 * character of the schema document.
 */
const PATTERN_WEIGHT = 200;
const INSTRUCTION_WEIGHT = 4;

/** LRU cache of compiled schemas. Entries are never stale, because a key always has the same document. */
export class CompiledSchemas {
  readonly #validators: LRUCache<string, Validator>;

  /** @param maxSize memory limit of the cache, in characters of documents without patterns */
  constructor(private readonly maxSize: number) {
    this.#validators = new LRUCache({ maxSize });
  }

  get(key: string): Validator | undefined {
    return this.#validators.get(key);
  }

  compile(key: string, document: JsonObject): Validator {
    const { validator, patterns, instructions } = compileOrRefuse(document);
    const size =
      JSON.stringify(document).length + PATTERN_WEIGHT * patterns + INSTRUCTION_WEIGHT * instructions;
    if (size <= this.maxSize) this.#validators.set(key, validator, { size });
    return validator;
  }

  clear(): void {
    this.#validators.clear();
  }
}

/**
 * Compiles a schema. If compiling fails, returns a validator that rejects every payload. This happens only if
 * an older version of Wireroom accepted a schema that this version does not accept.
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
