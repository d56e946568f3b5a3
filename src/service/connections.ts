/**
 * Connections for the authorization server: the human's choice of a handle, and the lifecycle of a connection
 * and its access tokens (docs/specification/identity.md#access-tokens). Also logs sign-ins that need no
 * sign-in page.
 */
import { WireroomError } from "../contract/errors.js";
import { operation } from "../contract/index.js";
import { noSuchHandle } from "../domain/visibility.js";
import { now } from "../kernel/clock.js";
import { newId } from "../kernel/ids.js";
import { insertAccessToken } from "../store/accounts/access-tokens.js";
import { type Identity, upsertAccount } from "../store/accounts/accounts.js";
import { type AuditEntry, enqueueAuditEntries } from "../store/accounts/audit.js";
import {
  connectionByGrant,
  endConnection,
  type HandleChoice,
  handleChoices,
  insertConnection,
  isConnectionLive,
  lastHandleOfClient,
  recordIssue,
  type StoredConnection,
} from "../store/accounts/connections.js";
import { handleBySlug } from "../store/accounts/handles.js";
import type { Transaction } from "../store/engine/engine.js";
import { contextOf } from "./dispatch/invoke.js";
import { createAskingHandle, createHandle } from "./handles/handles.js";
import { connectionEvent } from "./pipeline/audit.js";
import { assertNotBeforeDeletion, type HumanIdentity } from "./pipeline/authenticate.js";
import type { Service } from "./pipeline/context.js";
import { validateInput } from "./pipeline/input.js";

export class Connections {
  constructor(private readonly service: Service) {}

  private get engine() {
    return this.service.store.engine;
  }

  /**
   * Returns a human's handles, oldest first, and the handle that the client last connected to. Creates an
   * account for a new human.
   */
  async choices(
    identity: Identity,
    clientId: string,
  ): Promise<{ handles: HandleChoice[]; last: string | undefined }> {
    const { account } = await this.service.authenticator.authenticateHuman(identity);
    const { reader } = this.engine;
    const [handles, last] = await Promise.all([
      handleChoices(reader, account.pk),
      lastHandleOfClient(reader, account.pk, clientId),
    ]);
    return { handles, last };
  }

  /** Appends an audit entry about a human's account. Creates the account of a new human. */
  async logSignIn(
    identity: HumanIdentity,
    entry: Pick<AuditEntry, "action" | "outcome" | "requestId">,
  ): Promise<void> {
    const { account } = await this.service.authenticator.authenticateHuman(identity);
    const subject = { account: account.pk, handle: null, subject: `account:${account.id}` };
    await this.engine.write(async (tx) =>
      enqueueAuditEntries(tx, [{ ...entry, ...subject, actor: "human" }]),
    );
  }

  /** @param asksHuman whether the handle gets the egress mode `approval` */
  async createHandle(identity: Identity, slug: string, requestId: string, asksHuman = false): Promise<void> {
    const human = await this.service.authenticator.authenticateHuman(identity);
    const ctx = contextOf(this.service, human, requestId, this.service.stopping);
    const input = validateInput("handles.create", operation("handles.create"), { slug });
    const handler = asksHuman ? createAskingHandle : createHandle;
    const { error } = await handler.run({ ctx, input, idempotency: undefined });
    if (error) throw error;
  }

  /**
   * Stores the connection that a human has approved. Lists show the connection once it has an access token.
   * Throws 404 for an unknown handle, or 403 if the handle is suspended or belongs to another account.
   */
  async approve(approval: {
    identity: Identity;
    slug: string;
    clientId: string;
    clientName: string;
    grantId: string;
  }): Promise<void> {
    const { identity, slug, clientId, clientName, grantId } = approval;
    await this.engine.write(async (tx) => {
      const account = await upsertAccount(tx, identity, newId(), now());
      assertNotBeforeDeletion(account, now());
      await tx.lock("handles", "slug", [slug]);
      const handle = await handleBySlug(tx, slug);
      if (!handle) throw noSuchHandle(slug);
      if (handle.account !== account.pk) {
        throw new WireroomError("FORBIDDEN", `@${slug} belongs to another account`);
      }
      if (handle.suspendedAt !== null) throw new WireroomError("FORBIDDEN", `@${slug} is suspended`);
      const connection = {
        id: newId(),
        handle: handle.pk,
        grantId,
        clientId,
        clientName,
        createdAt: now(),
      };
      if (await insertConnection(tx, connection)) return;
      throw new Error(`the grant ${grantId} has a connection already`);
    });
  }

  /**
   * Stores an access token for the grant's connection. A connection is live from its first token on.
   * @param token the SHA-256 hash as base64url, and the expiry time in milliseconds since 1970
   * @returns false if the connection has ended or does not exist
   */
  addAccessToken(token: {
    grantId: string;
    hash: string;
    expiresAt: number;
    requestId: string;
  }): Promise<boolean> {
    const { grantId, hash, expiresAt, requestId } = token;
    return this.engine.write(async (tx) => {
      const at = now();
      const issue = await recordIssue(tx, grantId, at);
      const connection = issue && (await connectionByGrant(tx, grantId));
      if (!connection) return false;
      const { pk, handle } = connection;
      await insertAccessToken(tx, { hash, handle, connection: pk, createdAt: at, expiresAt });
      if (issue === "first") logConnection(tx, "connection.created", connection, "human", requestId);
      return true;
    });
  }

  /**
   * Returns whether the grant's connection has received an access token and has not ended. A connection ends
   * after 90 days without a new access token and without a call.
   */
  isLive(grantId: string): Promise<boolean> {
    return isConnectionLive(this.engine.reader, grantId, now());
  }

  async revokeByGrant(grantId: string, requestId: string): Promise<void> {
    await this.engine.write(async (tx) => {
      const connection = await connectionByGrant(tx, grantId);
      if (!connection) return;
      if (await endConnection(tx, connection.pk, now())) {
        logConnection(tx, "connection.revoked", connection, `@${connection.slug}`, requestId);
      }
      tx.publish({ topic: "status", handle: connection.handle });
    });
  }
}

function logConnection(
  tx: Transaction,
  action: "connection.created" | "connection.revoked",
  connection: StoredConnection,
  actor: string,
  requestId: string,
): void {
  enqueueAuditEntries(tx, [{ ...connectionEvent(action, connection), actor, outcome: "ok", requestId }]);
}
