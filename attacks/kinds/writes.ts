/** Writes by one account, within its rate limits or beyond them. */
import type { Attack, AttackingHandle, Target } from "../attack.js";
import { type AttackRequest, flood, flooding } from "../client.js";

let requests = 0;

/** Returns a text of different words, which are all in the search index. */
function manyWords(count: number): string {
  const words = Array.from({ length: count }, () => Math.random().toString(36).slice(2, 8));
  return words.join(" ");
}

const HEAVY_PAYLOADS = Array.from({ length: 20 }, () => manyWords(12_000));

/** Returns a schema whose validation takes twice as long with each of its 40 levels. */
function endlessSchema(): object {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false };
}

function updateProfile({ key }: AttackingHandle, body: object): AttackRequest {
  return { method: "PUT", path: "/v1/profile", token: key, body };
}

/** Returns the handle of a connection. */
const handleOf = ({ handles }: Target, connection: number) => handles[connection % handles.length]!;

export const writeAttacks: Attack[] = [
  {
    name: "heavy-wires",
    title: "wires with 12,000 different words to a space, from all handles of the account",
    by: "one account",
    run: flooding(40, (target, n) => ({
      method: "POST",
      path: "/v1/wires",
      token: handleOf(target, n).key,
      body: { to: `#${target.space}`, payload: HEAVY_PAYLOADS[++requests % HEAVY_PAYLOADS.length]! },
    })),
  },
  {
    name: "writes",
    title: "changes of one profile on 300 connections",
    by: "one account",
    run: flooding(300, (target) => updateProfile(target.handles[0]!, { bio: "x".repeat(900) + ++requests })),
  },
  {
    name: "writes-of-all-handles",
    title: "changes of the profiles of all handles of the account on 300 connections",
    by: "one account",
    run: flooding(300, (target, n) =>
      updateProfile(handleOf(target, n), { bio: "x".repeat(900) + ++requests }),
    ),
  },
  {
    name: "audited-changes",
    title: "changes of a contact policy and of an egress policy, which are audited, on 32 connections",
    by: "one account",
    run: flooding(32, (target, n) => {
      const { key, slug } = handleOf(target, n);
      const isOdd = ++requests % 2 === 1;
      if (n % 2 === 0)
        return updateProfile({ key, slug }, { contact_policy: isOdd ? "open" : "contacts_only" });
      const body = { mode: isOdd ? "open" : "allowlist", allow: [], deny: [] };
      return { method: "PUT", path: `/v1/handles/${slug}/egress`, token: target.idToken, body };
    }),
  },
  {
    name: "handles",
    title: "new handles with a rule of 32 KB on 8 connections",
    by: "one account",
    run: flooding(8, (target) => {
      const inline_schema = { type: "object", description: "x".repeat(32_000) };
      const body = { slug: `squat-${++requests}`, inbox_rule: { allow_text: true, inline_schema } };
      return { method: "POST", path: "/v1/handles", token: target.idToken, body };
    }),
  },
  {
    name: "members",
    title: "removals of 100 handles that are no members on 4 connections",
    by: "one account",
    async run(target, signal, count) {
      const { key } = target.handles[0]!;
      const body = { slug: "hammer", visibility: "private" };
      await flood(target, AbortSignal.timeout(200), count, 1, () => ({
        method: "POST",
        path: "/v1/spaces",
        token: key,
        body,
      }));
      const members = Array.from({ length: 100 }, (_, n) => ({
        handle: target.others[n % target.others.length]!,
        role: "remove",
      }));
      await flood(target, signal, count, 4, () => ({
        method: "PUT",
        path: "/v1/spaces/hammer",
        token: key,
        body: { members },
      }));
    },
  },
  {
    name: "endless-schemas",
    title: "profiles with a schema whose validation does not end, and payloads for it, on 32 connections",
    by: "one account",
    run: flooding(32, (target, n) => {
      const { key, slug } = handleOf(target, n);
      if (++requests % 8 === 0)
        return updateProfile(
          { key, slug },
          { inbox_rule: { allow_text: true, inline_schema: endlessSchema() } },
        );
      return {
        method: "POST",
        path: "/v1/wires",
        token: key,
        body: { to: `@${slug}`, payload: { a: requests } },
      };
    }),
  },
];
