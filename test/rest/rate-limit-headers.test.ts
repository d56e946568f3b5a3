import { beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type JsonResponse, NO_LIMITS, startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { hold } from "../harness/held-requests.js";
import { grantOperator } from "../harness/operator.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"], {
  args: ["--limit", "wires_per_minute=3", "--limit", "spaces_per_account=2"],
});

beforeAll(async () => {
  await daemon.createAgent("picky", { inbox_rule: { allow_text: false, inline_schema: { type: "object" } } });
});

const policyOf = ({ headers }: JsonResponse) => headers.get("ratelimit-policy");
const stateOf = ({ headers }: JsonResponse) => headers.get("ratelimit");

/** Parses the header value `"name";r=2;t=60` into `{name: {r: 2, t: 60}}`. */
function parsed(header: string | null): Record<string, Record<string, number>> {
  const items = (header ?? "").split(", ").map((item) => {
    const [name = "", ...params] = item.split(";");
    expect(name).toMatch(/^"[a-z_]+"$/);
    return [name.slice(1, -1), Object.fromEntries(params.map((param) => [param[0], Number(param.slice(2))]))];
  });
  return Object.fromEntries(items);
}

const WIRES = '"wires_per_minute";q=3;w=60, "wires_per_day";q=2000;w=86400';

describe("the RateLimit headers", () => {
  // [D4-headers]
  it("are present in every response of a limited operation: 201, 400, 404, 403, 422 and 429", async () => {
    const remainingAfter = async (body: unknown, status: number) => {
      const reply = await alice.post("/wires", body);
      expect(reply.status).toBe(status);
      expect(policyOf(reply)).toBe(WIRES);
      return parsed(stateOf(reply)).wires_per_minute!.r;
    };
    expect(await remainingAfter({}, 400)).toBe(3);
    expect(await remainingAfter("not json", 400)).toBe(3);
    expect(await remainingAfter({ to: "alice", text: "1" }, 201)).toBe(2);
    expect(await remainingAfter({ to: "no-such-handle", text: "x" }, 404)).toBe(2);
    expect(await remainingAfter({ to: "picky", text: "x" }, 403)).toBe(2);
    expect(await remainingAfter({ to: "picky", payload: 1 }, 422)).toBe(2);
    expect(await remainingAfter({ to: "alice", text: "2" }, 201)).toBe(1);
    expect(await remainingAfter({ to: "alice", text: "3" }, 201)).toBe(0);
    expect(await remainingAfter({ to: "alice", text: "4" }, 429)).toBe(0);
    expect(await remainingAfter({ to: "alice", text: "" }, 400)).toBe(0);
  });

  // [D4-headers] [D4-retry-after]
  it("contain the time at which more of the quota is available, as retry_after does", async () => {
    const carl = await daemon.createAgent("carl");
    for (let n = 0; n < 3; n++) await carl.post("/wires", { to: "carl", text: "x" });
    const reply = await carl.post("/wires", { to: "carl", text: "x" });
    expect(reply.status).toBe(429);
    const { wires_per_minute, wires_per_day } = parsed(stateOf(reply));
    expect(wires_per_minute).toEqual({ r: 0, t: reply.body.retry_after });
    expect(wires_per_day!.r).toBe(1_997);
    expect(wires_per_day!.t).toBeGreaterThan(86_300);
  });

  // [D4-headers]
  it("are absent from a 401 response", async () => {
    const reply = await daemon.client("wr_x").post("/wires", { to: "alice", text: "x" });
    expect(reply.status).toBe(401);
    expect([policyOf(reply), stateOf(reply)]).toEqual([null, null]);
  });

  // [D4-headers] [D4-refusal-order] [D14-ask-rights]
  it("are absent if the key ends while the body arrives or the response is awaited, by a revocation or a suspension", async () => {
    await grantOperator(daemon, "alice");
    const suspend = ({ slug }: AgentClient) => alice.put(`/operator/handles/${slug}`, { suspended: true });
    const revoke = ({ owner, keyId }: AgentClient) => owner.delete(`/keys/${keyId}`);
    for (const [slug, end, status] of [
      ["revoked", revoke, 401],
      ["suspended", suspend, 403],
    ] as const) {
      const agent = await daemon.createAgent(slug);
      const begin = async (json: string, header = "") => {
        const connection = await RawConnection.open(daemon.origin);
        const head = `POST /v1/wires HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${agent.key}${header}`;
        connection.send(
          `${head}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json[0]}`,
        );
        return { connection, rest: json.slice(1) };
      };
      const valid = JSON.stringify({ to: slug, text: "late" });
      const begun = [
        await begin(valid),
        await begin('{"nonsense": true}'),
        await begin("{nonsense"),
        await begin(valid, `\r\nIdempotency-Key: ${"k".repeat(129)}`),
      ];
      const awaited = await hold(daemon, () =>
        agent.post("/wires", { to: slug, text: "a question", wait_for_reply: 50 }),
      );
      expect((await end(agent)).status).toBe(200);
      const reply = await awaited();
      expect([reply.status, policyOf(reply), stateOf(reply)]).toEqual([status, null, null]);
      for (const { connection, rest } of begun) {
        const late = (await connection.send(rest).readResponse())!;
        connection.close();
        expect(late.status).toBe(status);
        expect(Object.keys(late.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
      }
    }
  });

  // [D4-headers] [D4-quota]
  it("are present for knocks, spaces and schemas; a quota has no window", async () => {
    const knock = await alice.post("/knocks", { handle: "picky", intro: "hi" });
    expect(policyOf(knock)).toBe('"knocks_per_hour";q=20;w=3600');
    expect(stateOf(knock)).toBe('"knocks_per_hour";r=19;t=3600');
    const space = await alice.post("/spaces", { slug: "first", visibility: "public" });
    expect(policyOf(space)).toBe('"spaces_per_hour";q=10;w=3600, "spaces_per_account";q=2');
    expect(stateOf(space)).toBe('"spaces_per_hour";r=9;t=3600, "spaces_per_account";r=1');
    const schema = await alice.post("/schemas", { subject: "@alice/one", json_schema: {} });
    expect(policyOf(schema)).toBe('"schemas_per_hour";q=60;w=3600');
  });

  // [D4-headers]
  it("are absent from operations without a limit", async () => {
    for (const path of ["/inbox", "/profile", "/limits"]) expect(policyOf(await alice.get(path))).toBeNull();
  });

  // [D4-headers] [D12-limit-none]
  it("omit a limit that is disabled", async () => {
    const free = await startDaemon({ isHosted: true, args: [...NO_LIMITS, "--limit", "wires_per_day=5"] });
    try {
      const carol = await free.createAgent("carol");
      const reply = await carol.post("/wires", { to: "carol", text: "x" });
      expect(policyOf(reply)).toBe('"wires_per_day";q=5;w=86400');
      expect(stateOf(reply)).toBe('"wires_per_day";r=4;t=86400');
      const knock = await carol.post("/knocks", { handle: "nobody", intro: "x" });
      expect([policyOf(knock), stateOf(knock)]).toEqual([null, null]);
    } finally {
      await free.stop();
    }
  });
});

describe("GET /limits", () => {
  // [D8-limits] [D4-defaults]
  it("returns the remaining number of each limit, and its window in seconds", async () => {
    const bob = await daemon.createAgent("bob");
    const untouched = (await bob.get("/limits")).body;
    expect(untouched).toEqual({
      limits: [
        { name: "wires_per_minute", limit: 3, remaining: 3, window: 60, reset: 0 },
        { name: "wires_per_day", limit: 2_000, remaining: 2_000, window: 86_400, reset: 0 },
        { name: "knocks_per_hour", limit: 20, remaining: 20, window: 3_600, reset: 0 },
        { name: "spaces_per_hour", limit: 10, remaining: 10, window: 3_600, reset: 0 },
        { name: "spaces_per_account", limit: 2, remaining: 2, window: null, reset: null },
        { name: "schemas_per_hour", limit: 60, remaining: 60, window: 3_600, reset: 0 },
        { name: "mentions_per_hour", limit: 60, remaining: 60, window: 3_600, reset: 0 },
        { name: "claims_per_handle", limit: 20, remaining: 20, window: null, reset: null },
      ],
    });
    await bob.post("/wires", { to: "bob", text: "x" });
    await bob.post("/spaces", { slug: "of-bob", visibility: "public" });
    const { limits } = (await bob.get("/limits")).body;
    const remaining = Object.fromEntries(
      limits.map((row: { name: string; remaining: number }) => [row.name, row.remaining]),
    );
    expect(remaining).toMatchObject({
      wires_per_minute: 2,
      wires_per_day: 1_999,
      spaces_per_hour: 9,
      spaces_per_account: 1,
    });
    expect([59, 60]).toContain(limits[0].reset);
  });

  // [D8-limits] [D12-limit-none]
  it("returns null for a disabled limit", async () => {
    const free = await startDaemon({ isHosted: true, args: NO_LIMITS });
    try {
      const { limits } = (await (await free.createAgent("carol")).get("/limits")).body;
      expect(limits).toHaveLength(8);
      for (const row of limits) {
        expect(row).toEqual({ name: row.name, limit: null, remaining: null, window: null, reset: null });
      }
    } finally {
      await free.stop();
    }
  });
});
