import { LRUCache } from "lru-cache";
import type { Store } from "../../store/index.js";
import { schemaByRef } from "../../store/schemas.js";

/** At most 32 KB each: 16 MB in all. */
const MAX_DOCUMENTS = 500;

/** Documents of registered schemas by pinned ref. Versions are immutable, so a cached one is never stale. */
export class SchemaDocuments {
  private readonly documents = new LRUCache<string, object>({ max: MAX_DOCUMENTS });

  constructor(private readonly store: Store) {}

  /** @param ref pinned ref of a version that exists */
  async get(ref: string): Promise<object> {
    const cached = this.documents.get(ref);
    if (cached) return cached;
    const schema = await schemaByRef(this.store.engine.reader, ref);
    const document = schema!.resource.json_schema;
    this.documents.set(ref, document);
    return document;
  }
}
