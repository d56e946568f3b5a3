/** Stores and ends clients' grants. A grant groups the tokens that were issued together. */

import type { AdapterPayload, errors as Errors, KoaContextWithOIDC } from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/kernel/clock.js";
import { sha256 } from "../../../../src/kernel/hash.js";
import { newId } from "../../../../src/kernel/ids.js";
import type { ProviderRecord } from "../../../../src/store/accounts/identity-applications.js";
import type { IdentityContext } from "../../service.js";
import { CONSOLE_CLIENT_ID, hasGracePeriod, isApplication } from "../clients/own-clients.js";
import { tooManyRequests } from "../requests/too-many-requests.js";
import { versionOf } from "../sign-in/account.js";

/**
 * A used refresh token is still accepted for this time: its response may have been lost, or several sessions
 * of an MCP host may share it.
 */
const GRACE_MS = 30 * SECOND;
/** Longer than the grace period, because clocks may differ. */
const USED_TTL_MS = MINUTE;
/** Each refresh stores two tokens. A connection normally refreshes once per hour. */
const REFRESH_LIMITS = [{ count: 60, window: HOUR }];
/** The console refreshes its token at each page load. */
const CONSOLE_REFRESH_LIMITS = [{ count: 600, window: HOUR }];
/** A registered client is deleted after this time unless a human has seen its consent page. */
const UNUSED_CLIENT_TTL_MS = HOUR;
/**
 * A registered client is deleted this long after a human last saw its consent page, unless its refresh tokens
 * live longer.
 */
const CLIENT_TTL_MS = 30 * DAY;
const MAX_CLIENTS = 10_000;

/** The ids of these records are secret codes or tokens, so the database stores only a hash of each id. */
const SECRET_IDS = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);

export function hasSecretId(model: string): boolean {
  return SECRET_IDS.has(model);
}

/** A plain hash is safe, because the secret has 256 random bits. */
export function storedId(model: string, id: string): string {
  return hasSecretId(model) ? sha256(id) : id;
}

/**
 * Clients' grants with their tokens, and applications' registrations
 * (docs/specification/identity.md#access-tokens).
 *
 * A refresh token begins with its grant's id, which only the client knows. An unknown refresh token with a
 * known grant id must therefore be a used one, even if its record was deleted long ago.
 */
export class Grants {
  constructor(
    private readonly context: IdentityContext,
    /** Whether refresh tokens contain the human's sign-in version, as `acr`. */
    private readonly hasVersions: boolean,
    private readonly errors: typeof Errors,
    private readonly request: () => KoaContextWithOIDC | undefined,
  ) {}

  /** Throws if `MAX_CLIENTS` clients are registered and all of them have a connection. */
  async addClient(id: string, payload: AdapterPayload): Promise<void> {
    const { store, now } = this.context;
    const isStored = await store.addClient({
      ...{ id, payload: JSON.stringify(payload), expiresAt: now() + UNUSED_CLIENT_TTL_MS },
      maxInAll: MAX_CLIENTS,
    });
    if (!isStored)
      throw this.tooMany("there are too many registered clients; try again later", HOUR / SECOND);
  }

  async keepClient(id: string): Promise<void> {
    const { store, now } = this.context;
    await store.extendRecord("Client", id, now() + CLIENT_TTL_MS);
  }

  /** Throws invalid_grant if the connection has ended. */
  async addAccessToken(id: string, { grantId = "", exp = 0 }: AdapterPayload): Promise<void> {
    const { connections } = this.context;
    const token = { grantId, hash: sha256(id), expiresAt: exp * SECOND, requestId: this.requestId() };
    if (!(await connections.addAccessToken(token))) throw this.invalidGrant("the connection has ended");
  }

  /**
   * Stores a refresh token, and extends the client's registration and grant. Throws invalid_grant if another
   * of the grant's refresh tokens was used meanwhile, or if the sign-in has ended.
   */
  async addRefreshToken(
    record: ProviderRecord,
    { clientId = "", grantId = "", iiat, iat = 0, acr }: AdapterPayload,
  ): Promise<void> {
    const { store, now } = this.context;
    const previous = hasGracePeriod(clientId) && this.request()?.oidc.entities.RotatedRefreshToken?.jti;
    const createdAt = ((iiat as number | undefined) ?? iat) * SECOND;
    const isStored = await store.addRefreshToken({
      record: { ...record, grantId },
      previousId: previous ? sha256(previous) : undefined,
      signIn: isApplication(clientId)
        ? undefined
        : {
            ...{ id: newId(), human: record.human ?? "", clientId, createdAt },
            version: this.hasVersions ? versionOf(acr) : undefined,
          },
      now: now(),
    });
    if (!isStored) throw this.invalidGrant("already used, or ended");
    await store.extendRecord("Client", clientId, record.expiresAt);
  }

  /**
   * Returns whether a refresh token's connection exists. If it has ended, deletes the grant's remaining
   * records.
   */
  async isLive({ grantId }: ProviderRecord): Promise<boolean> {
    if (grantId === null) return false;
    if (await this.context.connections.isLive(grantId)) return true;
    await this.endGrant(grantId);
    return false;
  }

  /**
   * Returns whether a used refresh token is still accepted: for a short time, and until a later token of its
   * grant is used. Otherwise oidc-provider revokes the connection.
   */
  async isInGrace({ grantId, consumedAt }: ProviderRecord): Promise<boolean> {
    const { store, now } = this.context;
    if (grantId === null || consumedAt === null) return true;
    // A negative age means that another daemon, whose clock is ahead, has used the token.
    if (Math.abs(now() - consumedAt) >= GRACE_MS) return false;
    return (await store.lastRefreshTokenUse(grantId)) === consumedAt;
  }

  /**
   * Marks a refresh token as used. Throws invalid_grant if it was already used and its grace period has
   * ended, or temporarily_unavailable if the connection has refreshed too often.
   */
  async consumeRefreshToken(id: string): Promise<void> {
    const { store, now } = this.context;
    const ofConsole = this.request()?.oidc.client?.clientId === CONSOLE_CLIENT_ID;
    const limits = ofConsole ? CONSOLE_REFRESH_LIMITS : REFRESH_LIMITS;
    const stored = sha256(id);
    const grantId = grantIdOf(id)!;
    const waitMs = await store.throttle(`refresh:${grantId}`, limits, now());
    if (waitMs > 0) throw this.tooMany("the connection was refreshed too often", Math.ceil(waitMs / SECOND));
    const use = { id: stored, grantId, now: now(), keptUntil: now() + USED_TTL_MS };
    if (await store.consumeRefreshToken(use)) return;
    const record = await store.findRecord("RefreshToken", { id: stored });
    if (!record || !(await this.isInGrace(record))) throw this.invalidGrant("already used");
  }

  /** Ends a refresh token's grant, even if the token's record was deleted. */
  async endGrantOf(id: string): Promise<void> {
    const grantId = grantIdOf(id);
    if (grantId === undefined) return;
    const grant = await this.context.store.findRecord("Grant", { id: grantId });
    const { clientId } = JSON.parse(grant?.payload ?? "{}") as { clientId?: string };
    if (hasGracePeriod(clientId)) await this.endGrant(grantId);
  }

  async endGrant(grantId: string): Promise<void> {
    const { store, connections, now } = this.context;
    await store.endGrant(grantId, now());
    await connections.revokeByGrant(grantId, this.requestId());
  }

  private tooMany(problem: string, retryAfterSeconds: number): unknown {
    const error = new WireroomError("RATE_LIMITED", problem, { retry_after: retryAfterSeconds });
    return tooManyRequests(this.request()!, error, this.errors);
  }

  private requestId(): string {
    return String(this.request()?.state.requestId ?? "");
  }

  private invalidGrant(detail: string): Error {
    return new this.errors.InvalidGrant(detail);
  }
}

export function refreshTokenOf(grantId: string, random: string): string {
  return `${grantId}.${random}`;
}

export function grantIdOf(refreshToken: string): string | undefined {
  return /^([\w-]{20,64})\.[\w-]+$/.exec(refreshToken)?.[1];
}

/** Lifetimes of applications' records, in seconds. */
export const APPLICATION_TTL = {
  /**
   * The grant only needs to outlive the authorization code, which is valid for a minute, because the first
   * refresh token extends the grant.
   */
  Grant: (10 * MINUTE) / SECOND,
  /** 90 days longer than its access token, which is valid for an hour. */
  RefreshToken: (90 * DAY + HOUR) / SECOND,
};
