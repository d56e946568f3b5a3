import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import { sha256 } from "../../../src/kernel/hash.js";
import type { IdentityStore, ProviderRecord } from "../identity-store.js";
import { acrOf } from "./account.js";

/** Lifetime of a record without an expiry time. All record types in use have an expiry time. */
const DEFAULT_TTL_SECONDS = 24 * 60 * 60;

/** Records whose id is the code or token itself. They are stored under its hash, and without it. */
const SECRET_IDS = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);

/** Returns the id under which a record is stored. A code or token has 256 random bits, so a plain hash suffices. */
export function storedId(model: string, id: string): string {
  return SECRET_IDS.has(model) ? sha256(id) : id;
}

export interface AdapterOptions {
  store: IdentityStore;
  now: () => number;
  /** Returns the error for a code or token that a concurrent request has used first. */
  alreadyUsed: () => Error;
  /** Counts a user code as wrong. Returns a function that takes the count back. Throws after too many wrong ones. */
  countUserCode: () => () => void;
}

/**
 * Returns oidc-provider's storage adapter, which uses the identity store. It also returns expired records, because the provider
 * itself checks their expiry. The provider responds differently to expired and unknown device codes (RFC 8628, section 3.5).
 *
 * The first request that redeems an authorization code uses it up, even if the request then fails: the provider reads a code
 * only to redeem it. A further request revokes what the first one was given (RFC 6749, section 4.1.2).
 */
export function createAdapter({ store, now, alreadyUsed, countUserCode }: AdapterOptions): AdapterFactory {
  /** Returns the payload of a session. Returns undefined if a new password has ended it. */
  const unlessEnded = async (payload: AdapterPayload | undefined) => {
    if (payload?.accountId === undefined) return payload;
    const user = await store.userById(payload.accountId);
    return user && acrOf(user) === payload.acr ? payload : undefined;
  };

  return (model): Adapter => ({
    async upsert(id, payload, expiresIn = DEFAULT_TTL_SECONDS) {
      await store.saveRecord({
        model,
        id: storedId(model, id),
        payload: JSON.stringify(SECRET_IDS.has(model) ? { ...payload, jti: undefined } : payload),
        // Stores no grant id for an interaction. Revoking a grant deletes all records with its id, and the interaction must
        // remain.
        grantId: model === "Interaction" ? null : (payload.grantId ?? null),
        userCode: payload.userCode ?? null,
        uid: model === "Session" ? (payload.uid ?? null) : null,
        consumedAt: null,
        expiresAt: now() + expiresIn * 1000,
      });
    },
    async find(id) {
      const stored = storedId(model, id);
      const isFirstUse = model === "AuthorizationCode" && (await store.consumeRecord(model, stored, now()));
      const record = await store.findRecord(model, { id: stored });
      if (model === "AuthorizationCode" && !isFirstUse && record?.grantId)
        await store.deleteRecordsOfGrant(record.grantId);
      const payload = parsed(record, isFirstUse);
      if (payload && SECRET_IDS.has(model)) payload.jti = id;
      return model === "Session" ? unlessEnded(payload) : payload;
    },
    async findByUserCode(userCode) {
      const takeBack = countUserCode();
      const record = await store.findRecord(model, { userCode });
      if (record) takeBack();
      return parsed(record);
    },
    // Only sessions are found by uid.
    findByUid: async (uid) => unlessEnded(parsed(await store.findRecord(model, { uid }))),
    async consume(id) {
      if (model === "AuthorizationCode") return;
      if (!(await store.consumeRecord(model, storedId(model, id), now()))) throw alreadyUsed();
    },
    destroy: (id) => store.deleteRecord(model, storedId(model, id)),
    revokeByGrantId: (grantId) => store.deleteRecordsOfGrant(grantId),
  });
}

/** @param isFirstUse whether the record was marked as used by this request */
function parsed(record: ProviderRecord | undefined, isFirstUse = false): AdapterPayload | undefined {
  if (!record) return undefined;
  const payload = JSON.parse(record.payload) as AdapterPayload;
  if (record.consumedAt !== null && !isFirstUse) payload.consumed = Math.floor(record.consumedAt / 1000);
  return payload;
}
