import type { AdapterFactory, Configuration, JWKS, KoaContextWithOIDC } from "oidc-provider";
import type { IdentityStore } from "../identity-store.js";
import { accountOf } from "./account.js";
import { CLIENT, SCOPE } from "./client.js";
import * as pages from "./pages.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface ConfigurationOptions {
  publicOrigin: string;
  mountPath: string;
  adapter: AdapterFactory;
  store: IdentityStore;
  jwks: JWKS;
  cookieKeys: string[];
}

/**
 * The embedded provider's settings. Every function that oidc-provider would otherwise supply with a notice on standard
 * output is given here.
 */
export function configuration(options: ConfigurationOptions): Configuration {
  const { publicOrigin, mountPath, adapter, store, jwks, cookieKeys } = options;
  const cookie = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const;
  return {
    adapter,
    clients: [CLIENT],
    jwks,
    scopes: SCOPE.split(" "),
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    // The verifier needs `email` in the ID token itself, not at the userinfo endpoint only.
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin) => origin === publicOrigin,
    cookies: {
      keys: cookieKeys,
      names: {
        session: "wireroom_session",
        interaction: "wireroom_interaction",
        resume: "wireroom_interaction_resume",
      },
      long: { ...cookie, path: mountPath },
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: pages.signOut,
        postLogoutSuccessSource: pages.signedOut,
      },
      deviceFlow: {
        enabled: true,
        deviceInfo: () => ({}),
        userCodeInputSource: pages.userCodeInput,
        userCodeConfirmSource: pages.userCodeConfirm,
        successSource: pages.deviceDone,
      },
    },
    interactions: { url: (_ctx, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    renderError: pages.providerError,
    async findAccount(_ctx, sub) {
      const user = await store.userById(sub);
      return user && accountOf(user);
    },
    // Consent is implicit: the only client is Wireroom's own. That a person is there is asked all the same (native clients).
    loadExistingGrant: existingOrNewGrant,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    // A terminal stays signed in when the browser's session ends.
    expiresWithSession: () => false,
    // Each use gives a new refresh token; one that comes twice ends all tokens of its grant (RFC 9700, 4.14.2).
    rotateRefreshToken: true,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      DeviceCode: 10 * MINUTE,
      // The longest time that one may stay signed in without a password.
      Grant: 365 * DAY,
      IdToken: HOUR,
      Interaction: 30 * MINUTE,
      RefreshToken: 30 * DAY,
      // A session nobody has signed in to is only there for a form; anyone can make one.
      Session: (_ctx, session) => (session.accountId ? 14 * DAY : HOUR),
    },
  };
}

async function existingOrNewGrant(ctx: KoaContextWithOIDC) {
  const { provider, client, account, session } = ctx.oidc;
  if (!client || !account || !session) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const known = grantId ? await provider.Grant.find(grantId) : undefined;
  if (known?.accountId === account.accountId) return known;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope(SCOPE);
  await grant.save();
  return grant;
}
