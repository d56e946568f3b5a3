import type { Context } from "koa";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { now } from "../../../../src/kernel/clock.js";
import type { User } from "../../../../src/store/accounts/identity.js";
import { SCOPE } from "../clients/own-clients.js";
import { accountOf, acrOf } from "./account.js";

/** Returns the context that oidc-provider would create for a client's request to one of its own routes. */
export async function contextOf(ctx: Context, provider: Provider, clientId: string) {
  const oidc = new provider.OIDCContext(ctx);
  oidc.entity("Client", (await provider.Client.find(clientId))!);
  return Object.assign(ctx, { oidc }) as unknown as KoaContextWithOIDC;
}

/**
 * Signs a human in to one of Wireroom's own clients without a page. Returns the token response (RFC 6749,
 * section 5.1).
 * @param amr how the human signed in (RFC 8176)
 */
export async function issueTokens(ctx: KoaContextWithOIDC, user: User, amr: string[]) {
  const { provider } = ctx.oidc;
  const client = ctx.oidc.client!;
  const { id: accountId } = user;
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const account = accountOf(user, grantId);
  ctx.oidc.entity("Account", account);
  ctx.oidc.entity("Grant", grant);

  const authTime = Math.floor(now() / 1000);
  const signIn = amr.length > 0 ? { amr } : {};
  const common = {
    ...{ client, accountId, grantId, gty: "password", scope: SCOPE, expiresWithSession: false },
  };
  const accessToken = new provider.AccessToken(common);
  ctx.oidc.entity("AccessToken", accessToken);
  const refreshToken = new provider.RefreshToken({
    ...common,
    ...signIn,
    authTime,
    acr: acrOf(user),
    rotations: 0,
  });
  ctx.oidc.entity("RefreshToken", refreshToken);

  const claims = await account.claims("id_token", SCOPE, {}, []);
  const idToken = new provider.IdToken({ ...claims, ...signIn, auth_time: authTime }, { ctx });
  // `scope` selects the ID token's claims. The type definitions lack it.
  Object.assign(idToken, { scope: SCOPE });

  return {
    access_token: await accessToken.save(),
    expires_in: accessToken.expiration,
    id_token: await idToken.issue({ use: "idtoken" }),
    refresh_token: await refreshToken.save(),
    scope: SCOPE,
    token_type: "Bearer",
  };
}
