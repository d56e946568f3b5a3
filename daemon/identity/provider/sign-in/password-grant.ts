import type Provider from "oidc-provider";
import type { errors as Errors, TokenEndpointGrantContext } from "oidc-provider";
import type { SourceOf } from "../../../http/source.js";
import type { SignIn } from "../../sign-in.js";
import { PASSWORD_GRANT } from "../clients/own-clients.js";
import { tooManyRequests } from "../requests/too-many-requests.js";
import { issueTokens } from "./issue-tokens.js";

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
    ctx.body = await issueTokens(ctx, result.user, ["pwd"]);
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
