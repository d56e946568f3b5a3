/** Connections and access tokens, as the authorization server uses them. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { openDaemonStore } from "../../daemon/store.js";
import { type OperationId, operation } from "../../src/contract/index.js";
import { defaultLimits } from "../../src/contract/limits.js";
import { now } from "../../src/kernel/clock.js";
import { sha256 } from "../../src/kernel/hash.js";
import { newAccessToken, newId } from "../../src/kernel/ids.js";
import { contextOf, invoke } from "../../src/service/dispatch/invoke.js";
import { createService } from "../../src/service/index.js";
import { deleteExpiredTokens } from "../../src/store/accounts/access-tokens.js";
import { deleteEndedConnections } from "../../src/store/accounts/connections.js";
import { DAY_MS } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { databaseFlags, databaseUrlOf, dropDatabaseOf } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const HOUR_MS = DAY_MS / 24;
const { path: dataDir } = new TemporaryFolder("wireroom-connections-");
await databaseFlags(dataDir, []);
const log = { warn: () => undefined, error: () => undefined };
const { store, close } = await openDaemonStore(databaseUrlOf(dataDir), log);
const service = createService({
  store,
  limits: defaultLimits(),
  baseUrl: "http://127.0.0.1:4747/v1",
  stopping: new AbortController().signal,
});
const { connections, authenticator } = service;
afterAll(async () => {
  await service.close();
  await close();
  await dropDatabaseOf(dataDir);
});

const identityOf = (name: string) => ({
  issuer: "http://issuer",
  subject: name,
  email: `${name}@example.com`,
});
const alice = identityOf("alice");
const requestId = newId();
let names = 0;

/** Calls an operation, as a human by name or as an agent by access token. */
async function call(caller: string, id: OperationId, input: Record<string, unknown> = {}): Promise<Body> {
  const who = caller.startsWith("wt_")
    ? await authenticator.authenticateAgent(caller)
    : await authenticator.authenticateHuman(identityOf(caller));
  const ctx = contextOf(service, who, requestId, service.stopping);
  const { body, error } = await invoke(operation(id), ctx, { input });
  if (error) throw error;
  return JSON.parse(body!.toString());
}

const slugOf = (token: string) => authenticator.authenticateAgent(token).then(({ slug }) => slug);
const connectionEntries = async (slug: string) => {
  const { entries } = await call("alice", "audit.list", { handle: slug });
  return (entries as Body[])
    .filter(({ action }) => action.startsWith("connection."))
    .map(({ actor, action, detail, request_id }) => ({ actor, action, detail, request_id }))
    .reverse();
};

describe("a new handle that asks its human", () => {
  it("never exists without asking, whatever fails after the first write", async () => {
    // The account exists.
    await call("alice", "handles.list");
    const { engine } = store;
    const write = engine.write;
    let writes = 0;
    engine.write = ((...args: Parameters<typeof write>) =>
      ++writes > 1
        ? Promise.reject(new Error("the disk is full"))
        : write.apply(engine, args)) as typeof write;
    try {
      await connections.createHandle(alice, "asking-handle", requestId, true).catch(() => {});
    } finally {
      engine.write = write;
    }
    const { handles } = await call("alice", "handles.list");
    expect(handles.map(({ slug }: Body) => slug)).toContain("asking-handle");
    expect(await call("alice", "egress.get", { slug: "asking-handle" })).toMatchObject({ mode: "approval" });
    await expect(connections.createHandle(alice, "a b", requestId, true)).rejects.toThrow();
  });
});

async function newHandle(owner = "alice"): Promise<string> {
  const slug = `handle-${names++}`;
  await connections.createHandle(identityOf(owner), slug, requestId);
  return slug;
}

const approve = (slug: string, { by = "alice", clientId = "https://host.example/client" } = {}) => {
  const grantId = newId();
  const approval = { identity: identityOf(by), slug, clientId, clientName: "Host", grantId };
  return connections.approve(approval).then(() => grantId);
};

/** Adds an access token to the grant's connection. Returns it, or undefined if the connection has ended. */
async function addToken(grantId: string): Promise<string | undefined> {
  const token = newAccessToken();
  const input = { grantId, hash: sha256(token), expiresAt: now() + HOUR_MS, requestId };
  return (await connections.addAccessToken(input)) ? token : undefined;
}

async function connect(slug: string): Promise<{ grantId: string; token: string }> {
  const grantId = await approve(slug);
  return { grantId, token: (await addToken(grantId))! };
}

/** Moves all connections and tokens into the past, as if this time had passed. */
const advance = (ms: number) =>
  store.engine.write(async (tx) => {
    const connectionTimes = ["created_at", "issued_at", "last_used_at", "ended_at"];
    const tokenTimes = ["created_at", "expires_at"];
    const minus = (columns: string[]) => columns.map((column) => `${column} = ${column} - ${ms}`).join(", ");
    await tx.run(`UPDATE connections SET ${minus(connectionTimes)}`);
    await tx.run(`UPDATE access_tokens SET ${minus(tokenTimes)}`);
  });

describe("the choices of a human", () => {
  it("are the active handles, oldest first, and the one that the client was connected to last", async () => {
    const human = identityOf("carol");
    const clientId = "https://other.example/client";
    expect(await connections.choices(human, clientId)).toEqual({ handles: [], last: undefined });
    const slugs = [await newHandle("carol"), await newHandle("carol"), await newHandle("carol")];
    await call("carol", "handles.retire", { slug: slugs[2] });
    await approve(slugs[1]!, { by: "carol", clientId });
    await approve(slugs[0]!, { by: "carol" });
    const handles = slugs
      .slice(0, 2)
      .map((slug) => ({ slug, displayName: null, isSuspended: false, isOperator: false }));
    expect(await connections.choices(human, clientId)).toEqual({ handles, last: slugs[1] });
  });

  it("include a new handle, which has the rules of POST /handles", async () => {
    const slug = await newHandle();
    await expect(connections.createHandle(alice, slug, requestId)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await expect(connections.createHandle(alice, "-", requestId)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await connections.createHandle(alice, "asks-first", requestId, true);
    expect(await call("alice", "egress.get", { slug: "asks-first" })).toMatchObject({ mode: "approval" });
  });

  it("exclude unknown handles, and handles of another account", async () => {
    await expect(approve("nobody")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(approve(await newHandle("bob"))).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a connection", () => {
  // [D13-token-handle]
  it("is live from its first access token on, which stands for the handle", async () => {
    const slug = await newHandle();
    const grantId = await approve(slug);
    expect(await connections.isLive(grantId)).toBe(false);
    expect(await connectionEntries(slug)).toEqual([]);
    const token = (await addToken(grantId))!;
    expect(await connections.isLive(grantId)).toBe(true);
    expect(await slugOf(token)).toBe(slug);
    await addToken(grantId);
    const created = { actor: "human", action: "connection.created", detail: "Host", request_id: requestId };
    expect(await connectionEntries(slug)).toEqual([created]);
  });

  // [D13-connection-ends]
  it("ends with all its tokens at once when its grant is revoked, once", async () => {
    const slug = await newHandle();
    const { grantId, token } = await connect(slug);
    const other = await connect(slug);
    await slugOf(token);
    for (let n = 0; n < 2; n++) await connections.revokeByGrant(grantId, requestId);
    await expect(slugOf(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await connections.isLive(grantId)).toBe(false);
    expect(await addToken(grantId)).toBeUndefined();
    expect(await slugOf(other.token)).toBe(slug);
    const by = `@${slug}`;
    const revoked = { actor: by, action: "connection.revoked", detail: "Host", request_id: requestId };
    expect((await connectionEntries(slug)).slice(2)).toEqual([revoked]);
    await connections.revokeByGrant("unknown", requestId);
    expect(await addToken("unknown")).toBeUndefined();
  });

  // [D13-connection-ends]
  it("ends when its handle is retired, also if its client has not redeemed its code yet", async () => {
    const slug = await newHandle();
    const { grantId, token } = await connect(slug);
    const unused = await approve(slug);
    await slugOf(token);
    await call("alice", "handles.retire", { slug });
    await expect(slugOf(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect([await addToken(grantId), await addToken(unused)]).toEqual([undefined, undefined]);
    expect((await connectionEntries(slug)).map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "human connection.created",
      "human connection.revoked",
    ]);
  });

  // [D13-idle-90-days]
  it("ends after 90 days without a new token and without a call", async () => {
    const [idle, refreshed] = [await connect(await newHandle()), await connect(await newHandle())];
    await advance(60 * DAY_MS);
    expect(await addToken(refreshed.grantId)).toBeDefined();
    await advance(31 * DAY_MS);
    expect(await connections.isLive(idle.grantId)).toBe(false);
    expect(await addToken(idle.grantId)).toBeUndefined();
    expect(await connections.isLive(refreshed.grantId)).toBe(true);
  });

  it("cannot have two handles by one grant", async () => {
    const slug = await newHandle();
    const grantId = await approve(slug);
    const approval = { identity: alice, slug: await newHandle(), clientId: "c", clientName: "C", grantId };
    await expect(connections.approve(approval)).rejects.toThrow("has a connection already");
  });
});

describe("an access token", () => {
  // [D13-token-401]
  it("expires", async () => {
    const grantId = await approve(await newHandle());
    const token = newAccessToken();
    const expiresAt = now() + 2_000;
    await connections.addAccessToken({ grantId, hash: sha256(token), expiresAt, requestId });
    await slugOf(token);
    await sleep(expiresAt - now() + 1);
    await expect(slugOf(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  // [D13-token-401]
  it("is 401 if it is unknown or malformed", async () => {
    for (const token of [newAccessToken(), "wt_", `wt_${"a".repeat(44)}`, `wx_${"a".repeat(43)}`]) {
      await expect(authenticator.authenticateAgent(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
  });
});

describe("the hourly purge", () => {
  // [D13-purge]
  it("deletes expired tokens, and connections that were never used, have expired, or ended 400 days ago", async () => {
    const purge = () =>
      store.engine.write(async (tx) => {
        await deleteExpiredTokens(tx, now(), 1_000);
        await deleteEndedConnections(tx, now(), 1_000);
      });
    const rows = async (table: string) =>
      (await store.engine.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n;
    await advance(200 * DAY_MS);
    await purge();
    const ended = await rows("connections");
    const slug = await newHandle();
    const [used, revoked] = [await connect(slug), await connect(slug)];
    await approve(slug);
    await connections.revokeByGrant(revoked.grantId, requestId);
    await purge();
    expect([await rows("access_tokens"), (await rows("connections")) - ended]).toEqual([2, 3]);
    await advance(HOUR_MS + 1);
    await purge();
    expect([await rows("access_tokens"), (await rows("connections")) - ended]).toEqual([0, 2]);
    expect(await connections.isLive(used.grantId)).toBe(true);
    await advance(90 * DAY_MS);
    await purge();
    expect((await rows("connections")) - ended).toBe(1);
    await advance(310 * DAY_MS);
    await purge();
    expect(await rows("connections")).toBe(0);
  });
});
