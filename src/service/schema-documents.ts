/** Documents of registered schemas by pinned ref. Versions are immutable, so what is kept is never out of date. */

import type { Store } from "../store/index.js";
import { schemaByRef } from "../store/schemas.js";

/** Documents that are kept: at 32 KB each, 16 MB at the most. */
const KEPT = 500;

export class SchemaDocuments {
  private readonly documents = new Map<string, object>();

  constructor(private readonly store: Store) {}

  /** @param ref pinned ref of a version that exists */
  async get(ref: string): Promise<object> {
    let document = this.documents.get(ref);
    if (!document) {
      const schema = await schemaByRef(this.store.engine.reader, ref);
      document = schema!.resource.json_schema;
      if (this.documents.size >= KEPT) this.documents.delete(this.documents.keys().next().value!);
    }
    // Put last again, so that what is used stays.
    this.documents.delete(ref);
    this.documents.set(ref, document);
    return document;
  }
}
