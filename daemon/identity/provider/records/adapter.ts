/** oidc-provider's storage adapter. */
import type {
  Adapter,
  AdapterFactory,
  AdapterPayload,
  errors as Errors,
  InteractionResults,
} from "oidc-provider";
import type { ProviderRecord } from "../../../../src/store/accounts/identity-applications.js";
import type { IdentityContext } from "../../service.js";
import { hasGracePeriod, isApplication } from "../clients/own-clients.js";
import type { Humans } from "../sign-in/humans.js";
import { type Grants, grantIdOf, hasSecretId, storedId } from "./grants.js";

/** Lifetime of a record without an expiry time. All record types in use have an expiry time. */
const DEFAULT_TTL_SECONDS = 24 * 60 * 60;

/** Strangers can create these records, so their size is limited. */
const ANONYMOUS = new Set(["Interaction", "Session", "DeviceCode"]);
const MAX_ANONYMOUS_LENGTH = 8_192;

/**
 * Returns oidc-provider's storage adapter, which uses the identity store. It also returns expired records,
 * because oidc-provider itself checks their expiry and responds differently to expired and unknown device
 * codes (RFC 8628, section 3.5).
 *
 * The first request that redeems an authorization code uses up the code, even if the request then fails. A
 * second request revokes the tokens that the first one received (RFC 6749, section 4.1.2).
 * @param countUserCode counts a user code as wrong and returns a function that removes the count; throws if
 * there were too many wrong codes
 */
export function createAdapter(
  { store, now }: IdentityContext,
  humans: Humans,
  grants: Grants,
  errors: typeof Errors,
  countUserCode: () => () => void,
): AdapterFactory {
  /** Returns undefined if a password change has ended the session. */
  const unlessEnded = async (payload: AdapterPayload | undefined) => {
    if (payload?.accountId === undefined) return payload;
    const human = await humans.find(payload.accountId);
    return human && human.version === payload.acr ? payload : undefined;
  };

  const findCode = async (id: string) => {
    const stored = storedId("AuthorizationCode", id);
    const isFirstUse = await store.consumeRecord("AuthorizationCode", stored, now());
    const record = await store.findRecord("AuthorizationCode", { id: stored });
    if (!isFirstUse && record?.grantId) await grants.endGrant(record.grantId);
    return parsed(record, isFirstUse);
  };

  const findRefreshToken = async (id: string) => {
    const record = await store.findRecord("RefreshToken", { id: storedId("RefreshToken", id) });
    if (!record) {
      // The token may be a used one whose record was deleted, so end its grant.
      await grants.endGrantOf(id);
      return undefined;
    }
    const payload = parsed(record)!;
    if (!hasGracePeriod(payload.clientId)) return payload;
    if (isApplication(payload.clientId) && !(await grants.isLive(record))) return undefined;
    if (await grants.isInGrace(record)) delete payload.consumed;
    return payload;
  };

  /** An application's grant expires together with its last refresh token. */
  const findGrant = async (id: string) => {
    const record = await store.findRecord("Grant", { id });
    const payload = parsed(record);
    return payload && isApplication(payload.clientId)
      ? { ...payload, exp: secondsOf(record!.expiresAt) }
      : payload;
  };

  const findOne = async (model: string, id: string): Promise<AdapterPayload | undefined> => {
    if (model === "AuthorizationCode") return findCode(id);
    if (model === "RefreshToken") return findRefreshToken(id);
    if (model === "Grant") return findGrant(id);
    const record = await store.findRecord(model, { id: storedId(model, id) });
    if (model === "Session") return unlessEnded(parsed(record));
    // A registration contains no expiry time.
    if (model === "Client" && record && record.expiresAt <= now()) return undefined;
    return parsed(record);
  };

  return (model): Adapter => ({
    async upsert(id, payload, expiresIn = DEFAULT_TTL_SECONDS) {
      if (model === "Client") return grants.addClient(id, payload);
      const { clientId } = payload;
      const ofApplication = isApplication(clientId);
      const accountId = accountIdOf(payload);
      if (model === "AccessToken" && ofApplication) await grants.addAccessToken(id, payload);
      const record = {
        model,
        id: storedId(model, id),
        payload: JSON.stringify(hasSecretId(model) ? { ...payload, jti: undefined } : payload),
        human: accountId === undefined ? null : humans.keyOf(accountId),
        // An interaction has no grant id, because it must outlive the grant's records.
        grantId: model === "Interaction" ? null : (payload.grantId ?? null),
        userCode: payload.userCode ?? null,
        uid: model === "Session" ? (payload.uid ?? null) : null,
        consumedAt: null,
        expiresAt: now() + expiresIn * 1000,
      };
      if (ANONYMOUS.has(model) && accountId === undefined && record.payload.length > MAX_ANONYMOUS_LENGTH)
        throw new errors.InvalidRequest("the parameters of the request are too long");
      if (model === "RefreshToken") await grants.addRefreshToken(record, payload);
      else await store.saveRecord(record);
    },
    async find(id) {
      const payload = await findOne(model, id);
      if (payload && hasSecretId(model)) payload.jti = id;
      return payload;
    },
    async findByUserCode(userCode) {
      const takeBack = countUserCode();
      const record = await store.findRecord(model, { userCode });
      if (record) takeBack();
      return parsed(record);
    },
    // Only sessions have a uid.
    findByUid: async (uid) => unlessEnded(parsed(await store.findRecord(model, { uid }))),
    async consume(id) {
      if (model === "AuthorizationCode") return;
      if (model === "RefreshToken" && grantIdOf(id) !== undefined) return grants.consumeRefreshToken(id);
      const stored = storedId(model, id);
      if (await store.consumeRecord(model, stored, now())) return;
      // Another request has used the record since this request read it.
      const record = model === "RefreshToken" ? await store.findRecord(model, { id: stored }) : undefined;
      if (record?.grantId) await grants.endGrant(record.grantId);
      throw new errors.InvalidGrant("already used");
    },
    destroy: (id) => store.deleteRecord(model, storedId(model, id)),
    revokeByGrantId: (grantId) => grants.endGrant(grantId),
  });
}

function accountIdOf({ accountId, session, result, lastSubmission }: AdapterPayload): string | undefined {
  const signIn = (result ?? lastSubmission) as InteractionResults | undefined;
  return accountId ?? signIn?.login?.accountId ?? (session as { accountId?: string } | undefined)?.accountId;
}

function parsed(record: ProviderRecord | undefined, isFirstUse = false): AdapterPayload | undefined {
  if (!record) return undefined;
  const payload = JSON.parse(record.payload) as AdapterPayload;
  if (record.consumedAt !== null && !isFirstUse) payload.consumed = secondsOf(record.consumedAt);
  return payload;
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
