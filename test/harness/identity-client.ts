/** Requests to the embedded identity provider: sign-up, tokens and sign-in. */
import type { Identity } from "../../daemon/identity/index.js";
import type { IdentityHost } from "./identity-host.js";

export const PASSWORD = "correct horse battery";
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export interface IdentityResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function readJsonResponse(response: Response): Promise<IdentityResponse> {
  const body = (await response.json()) as IdentityResponse["body"];
  return { status: response.status, headers: response.headers, body };
}

let emailCount = 0;

/** Returns an unused address. */
export const newEmail = () => `person${++emailCount}@example.com`;

/**
 * Returns functions that send requests to `host()` by default.
 * @param source IP address from which the requests seem to come
 */
export function identityClient(host: () => IdentityHost, source?: string) {
  const forwarded: Record<string, string> = source === undefined ? {} : { "x-forwarded-for": source };

  /** Sends JSON, or raw text, to a path of the sign-up API. */
  const post = async (
    path: string,
    body: unknown,
    at = host(),
    headers: Record<string, string> = {},
  ): Promise<IdentityResponse> =>
    readJsonResponse(
      await fetch(`${at.origin}/identity/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...forwarded, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );

  /** Sends a request to the token endpoint, or to another one, with the client id of the command. */
  const token = async (
    fields: Record<string, string>,
    at = host(),
    path = "token",
  ): Promise<IdentityResponse> =>
    readJsonResponse(
      await fetch(`${at.origin}/identity/${path}`, {
        method: "POST",
        headers: forwarded,
        body: new URLSearchParams({ client_id: "wireroom-cli", ...fields }),
      }),
    );

  return {
    post,
    /** Sends JSON from a client with this address. */
    postFrom: (address: string, path: string, body: unknown, at = host()) =>
      post(path, body, at, { "x-forwarded-for": address }),
    token,
    /** Signs up and confirms with the code from the log. Returns the address. */
    async newAccount(at = host()): Promise<string> {
      const email = newEmail();
      await post("sign-up", { email, password: PASSWORD }, at);
      await post("confirm", { email, code: at.code(email), password: PASSWORD }, at);
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
