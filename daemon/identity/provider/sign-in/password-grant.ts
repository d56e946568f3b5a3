import type Provider from "oidc-provider";
import type { errors as Errors, TokenEndpointGrantContext } from "oidc-provider";
import { now } from "../../../../src/kernel/clock.js";
import type { User } from "../../../../src/store/accounts/identity.js";
import type { SourceOf } from "../../../http/source.js";
import type { SignIn } from "../../sign-in.js";
import { PASSWORD_GRANT, SCOPE } from "../clients/own-clients.js";
import { tooManyRequests } from "../requests/too-many-requests.js";
import { accountOf, acrOf } from "./account.js";

interface Parameters {
  username?: string;
  password?: string;
  code?: string;
}

/**
 * Registers the grant with which terminals and scripts sign in. `code_required` means that the parameter
 * `code` is missing. The status is 429 after too many wrong passwords.
 */
export function registerPasswordGrant(
  provider: Provider,
  signIn: SignIn,
  sourceOf: SourceOf,
  errors: typeof Errors,
): void {
  const handler = async (ctx: TokenEndpointGrantContext<Parameters>) => {
    const { username, password, code } = ctx.oidc.params;
    if (!username || !password) throw new errors.InvalidRequest("username and password are required");
    const source = sourceOf(ctx.req);
    const result = await signIn({ email: username, password, code, source }).catch((error: unknown) => {
      throw tooManyRequests(ctx, error, errors);
    });
    if (!result.user) throw new errors.CustomOIDCProviderError(...refusalOf(result));
    await issueTokens(ctx, result.user);
  };
  provider.registerGrantType<Parameters>(PASSWORD_GRANT, handler, ["username", "password", "code"]);
}

/** Returns the error code and its description. */
function refusalOf({ isWrong, needsCode }: { isWrong: boolean; needsCode: boolean }): [string, string] {
  if (!isWrong)
    return [
      "code_required",
      "there were too many wrong passwords for this address; if it has an account, a code was sent to it; send username, password and code",
    ];
  return ["invalid_grant", `wrong e-mail address${needsCode ? ", password or code" : " or password"}`];
}

async function issueTokens(ctx: TokenEndpointGrantContext, user: User): Promise<void> {
  const { provider, client } = ctx.oidc;
  const { id: accountId } = user;
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const account = accountOf(user, grantId);
  ctx.oidc.entity("Account", account);
  ctx.oidc.entity("Grant", grant);

  const authTime = Math.floor(now() / 1000);
  const common = { client, accountId, grantId, gty: "password", scope: SCOPE, expiresWithSession: false };
  const accessToken = new provider.AccessToken(common);
  ctx.oidc.entity("AccessToken", accessToken);
  const refreshToken = new provider.RefreshToken({
    ...common,
    authTime,
    amr: ["pwd"],
    acr: acrOf(user),
    rotations: 0,
  });
  ctx.oidc.entity("RefreshToken", refreshToken);

  const claims = await account.claims("id_token", SCOPE, {}, []);
  const idToken = new provider.IdToken({ ...claims, auth_time: authTime, amr: ["pwd"] }, { ctx });
  // `scope` selects the ID token's claims. The type definitions lack it.
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
