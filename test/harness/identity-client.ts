/** What a client of the embedded identity provider sends: sign-up, tokens, sign-in. */
import type { Identity } from "../../daemon/identity/index.js";
import type { IdentityHost } from "./identity-host.js";

export const PASSWORD = "correct horse battery";
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function answer(response: Response): Promise<Answer> {
  const body = (await response.json()) as Answer["body"];
  return { status: response.status, headers: response.headers, body };
}

let people = 0;

/** An address that no one has used yet. */
export const newEmail = () => `person${++people}@example.com`;

/** Talks to `host()` unless told otherwise. */
export function identityClient(host: () => IdentityHost) {
  /** POST of JSON, or of a text as it is, to a sign-up path. */
  const post = async (path: string, body: unknown, at = host()): Promise<Answer> =>
    answer(
      await fetch(`${at.origin}/identity/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );

  /** A request of the command line to the token endpoint, or to another one like it. */
  const token = async (fields: Record<string, string>, at = host(), path = "token"): Promise<Answer> =>
    answer(
      await fetch(`${at.origin}/identity/${path}`, {
        method: "POST",
        body: new URLSearchParams({ client_id: "wireroom-cli", ...fields }),
      }),
    );

  return {
    post,
    token,
    /** Signs up and confirms with the code of the log; gives the address. */
    async newAccount(at = host()): Promise<string> {
      const email = newEmail();
      await post("sign-up", { email, password: PASSWORD }, at);
      await post("confirm", { email, code: at.code(email) }, at);
      return email;
    },
    signIn: (username: string, password = PASSWORD, at = host()) =>
      token({ grant_type: PASSWORD_GRANT, username, password }, at),
    refresh: (refreshToken: unknown, at = host()) =>
      token({ grant_type: "refresh_token", refresh_token: String(refreshToken) }, at),
    verify: (idToken: unknown, at = host()): Promise<Identity> =>
      at.identity.verify(`Bearer ${String(idToken)}`),
  };
}
