import { LRUCache } from "lru-cache";
import { countLookup } from "../../store/engine/statistics.js";
import type { Store } from "../../store/index.js";
import { schemaByRef } from "../../store/schemas.js";

/**
 * Maximum number of cached documents. It bounds memory, because a parsed document is many times larger than
 * its JSON.
 */
const MAX_DOCUMENTS = 500;

/**
 * LRU cache of schema documents, by ref and version (`@ann/order@2`). An entry is never stale, because a
 * schema version never changes.
 */
export class SchemaDocuments {
  private readonly documents = new LRUCache<string, object>({ max: MAX_DOCUMENTS });

  constructor(private readonly store: Store) {}

  /** @param ref includes the version, such as `@ann/order@2` */
  async get(ref: string): Promise<object> {
    const cached = this.documents.get(ref);
    countLookup(this.store.statistics.caches.schema_documents, cached);
    if (cached) return cached;
    const schema = await schemaByRef(this.store.engine.reader, ref);
    const document = schema!.resource.json_schema;
    this.documents.set(ref, document);
    return document;
  }
}
