/** Work of the identity provider that needs no account. The requests seem to come from many networks. */
import type { Attack } from "../attack.js";
import { type AttackRequest, flooding } from "../client.js";

let requests = 0;

/** Returns an address in a home's network: one of the 256 /64 networks of an IPv6 /56. */
const homeNetwork = (n: number) => `2a00:1:1:1${(n % 256).toString(16).padStart(2, "0")}::1`;
/** Returns an address in a network of another provider: an IPv6 /48. */
const separateNetwork = (n: number) => `2a00:${(0x100 + (n % 4_096)).toString(16)}:1::1`;

function signUp(source: string): AttackRequest {
  const body = { email: `stranger${++requests}@example.net`, password: "a long enough password 77" };
  return { method: "POST", path: "/identity/sign-up", body, source };
}

const LONG_REQUEST = new URLSearchParams({
  ...{ client_id: "wireroom-cli", redirect_uri: "http://127.0.0.1:1/callback", response_type: "code" },
  ...{ scope: "openid", code_challenge: "a".repeat(43), code_challenge_method: "S256" },
  ...{ nonce: "n".repeat(15_000), state: "s".repeat(15_000) },
});

const SHORT_REQUEST = new URLSearchParams({
  ...Object.fromEntries(LONG_REQUEST),
  ...{ nonce: "n".repeat(1_000), state: "s".repeat(1_000) },
});

export const identityAttacks: Attack[] = [
  {
    name: "hashes-of-a-home",
    title: "sign-ups from the 256 networks of an IPv6 /56",
    by: "nobody",
    run: flooding(300, (_target, n) => signUp(homeNetwork(n))),
  },
  {
    name: "hashes-of-many",
    title: "sign-ups from 300 separate networks",
    by: "nobody",
    run: flooding(300, (_target, n) => signUp(separateNetwork(n))),
  },
  {
    name: "registrations",
    title: "registrations of clients from 4,096 separate networks",
    by: "nobody",
    run: flooding(16, () => ({
      method: "POST",
      path: "/identity/reg",
      body: { redirect_uris: ["http://127.0.0.1/callback"], client_name: "x" },
      source: separateNetwork(++requests),
    })),
  },
  {
    name: "authorization-requests",
    title: "authorization requests with a `state` of 1 KB and of 15 KB from 4,096 separate networks",
    by: "nobody",
    run: flooding(16, (_target, n) => ({
      path: `/identity/auth?${n % 2 ? LONG_REQUEST : SHORT_REQUEST}`,
      source: separateNetwork(++requests),
    })),
  },
  {
    name: "mails",
    title: "forgotten passwords of strangers from 4,096 separate networks",
    by: "nobody",
    run: flooding(16, () => ({
      method: "POST",
      path: "/identity/forgot",
      body: { email: `stranger${++requests}@example.net` },
      source: separateNetwork(requests),
    })),
  },
];
