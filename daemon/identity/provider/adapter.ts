import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import type { IdentityStore, ProviderRecord } from "../identity-store.js";

/** How long a record is kept that names no end; none of those in use here is without one. */
const KEPT = 24 * 60 * 60;

export interface AdapterOptions {
  store: IdentityStore;
  now: () => number;
  /** The error for a code or token that another request has used at the same moment. */
  alreadyUsed: () => Error;
}

/**
 * Keeps the provider's records in the store. Expired ones are found until they are purged: the provider itself looks at
 * `exp`, and answers an expired device code otherwise than an unknown one (RFC 8628, 3.5).
 */
export function createAdapter({ store, now, alreadyUsed }: AdapterOptions): AdapterFactory {
  return (model): Adapter => ({
    async upsert(id, payload, expiresIn = KEPT) {
      await store.saveRecord({
        model,
        id,
        payload: JSON.stringify(payload),
        // An interaction names its grant too, but does not end with it.
        grantId: model === "Interaction" ? null : (payload.grantId ?? null),
        userCode: payload.userCode ?? null,
        uid: model === "Session" ? (payload.uid ?? null) : null,
        consumedAt: null,
        expiresAt: now() + expiresIn * 1000,
      });
    },
    find: async (id) => parsed(await store.findRecord(model, { id })),
    findByUserCode: async (userCode) => parsed(await store.findRecord(model, { userCode })),
    findByUid: async (uid) => parsed(await store.findRecord(model, { uid })),
    async consume(id) {
      if (!(await store.consumeRecord(model, id, now()))) throw alreadyUsed();
    },
    destroy: (id) => store.deleteRecord(model, id),
    revokeByGrantId: (grantId) => store.deleteRecordsOfGrant(grantId),
  });
}

function parsed(record: ProviderRecord | undefined): AdapterPayload | undefined {
  if (!record) return undefined;
  const payload = JSON.parse(record.payload) as AdapterPayload;
  if (record.consumedAt !== null) payload.consumed = Math.floor(record.consumedAt / 1000);
  return payload;
}
