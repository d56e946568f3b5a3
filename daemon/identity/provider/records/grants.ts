/** Stores and ends the grants of clients, which tie their tokens together. */

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

/** Time for which a used refresh token is accepted again, because its response may have been lost. */
const GRACE_MS = 10 * SECOND;
/** Time for which a used refresh token is stored: longer than the grace period, for clocks that differ. */
const USED_TTL_MS = MINUTE;
/** Limit on the refreshes of one connection, which needs one an hour. Each stores two tokens. */
const REFRESH_LIMITS = [{ count: 60, window: HOUR }];
/** The same for the console, which refreshes whenever its page is loaded. */
const CONSOLE_REFRESH_LIMITS = [{ count: 600, window: HOUR }];
/** A registered client is deleted after this time, unless a human has seen the page that connects it. */
const UNUSED_CLIENT_TTL_MS = HOUR;
/** A registration without a connection is deleted when no human has seen its page for this time. */
const CLIENT_TTL_MS = 30 * DAY;
/** Maximum number of registered clients. */
const MAX_CLIENTS = 10_000;

/** Records whose id is the code or token itself. They are stored under its hash, and without it. */
const SECRET_IDS = new Set(["AccessToken", "AuthorizationCode", "RefreshToken"]);

export function hasSecretId(model: string): boolean {
  return SECRET_IDS.has(model);
}

/** Returns the id under which a record is stored. A plain hash suffices for 256 random bits. */
export function storedId(model: string, id: string): string {
  return hasSecretId(model) ? sha256(id) : id;
}

/**
 * The grants of clients with their tokens, and the registrations of applications
 * (docs/specification/identity.md#access-tokens).
 *
 * A refresh token begins with the id of its grant. The grant knows no other party, so an unknown refresh
 * token of a grant is one that was used before, even if its record was deleted long ago.
 */
export class Grants {
  constructor(
    private readonly context: IdentityContext,
    /** Whether a refresh token carries the version of its human, as `acr`. */
    private readonly hasVersions: boolean,
    private readonly errors: typeof Errors,
    /** Returns the current request of oidc-provider. */
    private readonly request: () => KoaContextWithOIDC | undefined,
  ) {}

  /** Stores a registered client. Throws if there are too many with a connection. */
  async addClient(id: string, payload: AdapterPayload): Promise<void> {
    const { store, now } = this.context;
    const isStored = await store.addClient({
      ...{ id, payload: JSON.stringify(payload), expiresAt: now() + UNUSED_CLIENT_TTL_MS },
      maxInAll: MAX_CLIENTS,
    });
    if (!isStored)
      throw this.tooMany("there are too many registered clients; try again later", HOUR / SECOND);
  }

  /** Keeps the registration of a client, if it has one, because a signed-in human has seen its page. */
  async keepClient(id: string): Promise<void> {
    const { store, now } = this.context;
    await store.extendRecord("Client", id, now() + CLIENT_TTL_MS);
  }

  /** Adds an access token to its connection. Throws invalid_grant if the connection has ended. */
  async addAccessToken(id: string, { grantId = "", exp = 0 }: AdapterPayload): Promise<void> {
    const { connections } = this.context;
    const token = { grantId, hash: sha256(id), expiresAt: exp * SECOND, requestId: this.requestId() };
    if (!(await connections.addAccessToken(token))) throw this.invalidGrant("the connection has ended");
  }

  /**
   * Stores a refresh token of any client, and extends its grant and its client. Throws invalid_grant if
   * another refresh token of the grant was used meanwhile, or if the sign-in has ended.
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

  /** Returns whether a refresh token's connection is live. If not, deletes the rest of its grant. */
  async isLive({ grantId }: ProviderRecord): Promise<boolean> {
    if (grantId === null) return false;
    if (await this.context.connections.isLive(grantId)) return true;
    await this.endGrant(grantId);
    return false;
  }

  /**
   * Returns whether oidc-provider may accept a used refresh token: shortly after its use, as long as nobody
   * has used what the use returned. Otherwise it revokes the connection.
   */
  async isInGrace({ grantId, consumedAt }: ProviderRecord): Promise<boolean> {
    const { store, connections, now } = this.context;
    if (grantId === null || consumedAt === null) return true;
    const ageMs = now() - consumedAt;
    if (ageMs < 0 || ageMs >= GRACE_MS) return false;
    if ((await store.lastRefreshTokenUse(grantId)) !== consumedAt) return false;
    return !(await connections.isUsedSince(grantId, consumedAt));
  }

  /**
   * Uses a refresh token. Throws invalid_grant if it was used before, and is not in its grace period. Throws
   * temporarily_unavailable after too many refreshes of its connection.
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

  /** Ends the grant of a refresh token, which may have been deleted long ago, and its connection. */
  async endGrantOf(id: string): Promise<void> {
    const grantId = grantIdOf(id);
    if (grantId === undefined) return;
    const grant = await this.context.store.findRecord("Grant", { id: grantId });
    const { clientId } = JSON.parse(grant?.payload ?? "{}") as { clientId?: string };
    if (hasGracePeriod(clientId)) await this.endGrant(grantId);
  }

  /** Ends a grant of any client: deletes its tokens and codes, and ends its sign-in or its connection. */
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

/** Returns the value of a new refresh token. */
export function refreshTokenOf(grantId: string, random: string): string {
  return `${grantId}.${random}`;
}

/** Returns the grant of an application's refresh token. Returns undefined for another text. */
export function grantIdOf(refreshToken: string): string | undefined {
  return /^([\w-]{20,64})\.[\w-]+$/.exec(refreshToken)?.[1];
}

/** Lifetimes of the records of applications, in seconds. */
export const APPLICATION_TTL = {
  /** Until the first refresh token extends it. Codes live a minute. */
  Grant: (10 * MINUTE) / SECOND,
  /** 90 days without a refresh or a call, after the last access token, which lives an hour. */
  RefreshToken: (90 * DAY + HOUR) / SECOND,
};
