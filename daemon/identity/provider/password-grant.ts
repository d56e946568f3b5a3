import type Provider from "oidc-provider";
import type { Account, errors as Errors, TokenEndpointGrantContext } from "oidc-provider";
import { WireroomError } from "../../../src/contract/errors.js";
import { now } from "../../../src/kernel/clock.js";
import type { Accounts } from "../accounts.js";
import { accountOf } from "./account.js";
import { PASSWORD_GRANT, SCOPE } from "./client.js";

interface Parameters {
  username?: string;
  password?: string;
}

/**
 * Adds the grant for terminals and scripts: e-mail and password for an ID token, an access token and a refresh token.
 * Wrong credentials are `invalid_grant` (RFC 6749, 5.2), too many of them 429.
 */
export function registerPasswordGrant(provider: Provider, accounts: Accounts, errors: typeof Errors): void {
  const handler = async (ctx: TokenEndpointGrantContext<Parameters>) => {
    const { username, password } = ctx.oidc.params;
    if (!username || !password) throw new errors.InvalidRequest("username and password are required");
    const user = await signIn(ctx, username, password);
    if (!user) throw new errors.CustomOIDCProviderError("invalid_grant", "wrong e-mail address or password");
    await issueTokens(ctx, accountOf(user));
  };

  const signIn = async (ctx: TokenEndpointGrantContext, username: string, password: string) => {
    try {
      return await accounts.signIn(username, password);
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") throw error;
      ctx.set("Retry-After", String(error.details.retry_after ?? 1));
      const refusal = new errors.CustomOIDCProviderError("temporarily_unavailable", error.message);
      throw Object.assign(refusal, { status: error.status, statusCode: error.status });
    }
  };

  provider.registerGrantType<Parameters>(PASSWORD_GRANT, handler, ["username", "password"]);
}

async function issueTokens(ctx: TokenEndpointGrantContext, account: Account): Promise<void> {
  const { provider, client } = ctx.oidc;
  const { accountId } = account;
  ctx.oidc.entity("Account", account);

  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  ctx.oidc.entity("Grant", grant);

  const authTime = Math.floor(now() / 1000);
  const common = { client, accountId, grantId, gty: "password", scope: SCOPE, expiresWithSession: false };
  const accessToken = new provider.AccessToken(common);
  ctx.oidc.entity("AccessToken", accessToken);
  const refreshToken = new provider.RefreshToken({ ...common, authTime, amr: ["pwd"], rotations: 0 });
  ctx.oidc.entity("RefreshToken", refreshToken);

  const claims = await account.claims("id_token", SCOPE, {}, []);
  const idToken = new provider.IdToken({ ...claims, auth_time: authTime, amr: ["pwd"] }, { ctx });
  // Which claims the ID token carries; missing in the type definitions.
  Object.assign(idToken, { scope: SCOPE });

  ctx.body = {
    access_token: await accessToken.save(),
    expires_in: accessToken.expiration,
    id_token: await idToken.issue({ use: "idtoken" }),
    refresh_token: await refreshToken.save(),
    scope: SCOPE,
    token_type: "Bearer",
  };
}
