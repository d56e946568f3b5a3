import type { AdapterFactory, ClientMetadata, Configuration, JWKS, KoaContextWithOIDC } from "oidc-provider";
import type { IdentityStore } from "../identity-store.js";
import { accountOf, acrOf, GRANT_CLAIM } from "./account.js";
import { SCOPE } from "./client.js";
import * as pages from "./pages/index.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface ConfigurationOptions {
  publicOrigin: string;
  mountPath: string;
  client: ClientMetadata;
  adapter: AdapterFactory;
  store: IdentityStore;
  jwks: JWKS;
  cookieKeys: string[];
}

/** Returns the prefix of cookie names. A browser accepts `__Secure-` only over https (RFC 6265bis, section 4.1.3.1). */
export function cookiePrefix(publicOrigin: string): string {
  return publicOrigin.startsWith("https:") ? "__Secure-" : "";
}

/**
 * Returns the configuration of oidc-provider. It sets every function for which oidc-provider would otherwise print a notice on
 * standard output.
 */
export function configuration(options: ConfigurationOptions): Configuration {
  const { publicOrigin, mountPath, client, adapter, store, jwks, cookieKeys } = options;
  const prefix = cookiePrefix(publicOrigin);
  const cookie = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const;
  return {
    adapter,
    clients: [client],
    jwks,
    scopes: SCOPE.split(" "),
    claims: { openid: ["sub", GRANT_CLAIM], email: ["email", "email_verified"] },
    // Puts `email` into the ID token, because the daemon reads it there. By default, only the userinfo endpoint returns it.
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin) => origin === publicOrigin,
    cookies: {
      keys: cookieKeys,
      names: {
        session: `${prefix}wireroom_session`,
        interaction: `${prefix}wireroom_interaction`,
        resume: `${prefix}wireroom_interaction_resume`,
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
        successSource: pages.deviceSignedIn,
      },
    },
    interactions: { url: (_ctx, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    renderError: pages.providerError,
    async findAccount(_ctx, sub, token) {
      const user = await store.userById(sub);
      if (!user) return undefined;
      // Access tokens carry no version. They are valid for an hour and only return the e-mail address.
      const isVersioned = token !== undefined && token.kind !== "AccessToken";
      if (isVersioned && (token as { acr?: string }).acr !== acrOf(user)) return undefined;
      return accountOf(user, token?.grantId);
    },
    // Grants consent without asking, because the only client is Wireroom's own. A human still confirms each sign-in.
    loadExistingGrant: existingOrNewGrant,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    // Keeps the sign-in of a command line valid after the browser session has ended.
    expiresWithSession: () => false,
    // Each use returns a new refresh token. If an old refresh token is used again, all tokens of its grant are revoked (RFC
    // 9700, section 4.14.2).
    rotateRefreshToken: true,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      DeviceCode: 10 * MINUTE,
      // After this time, a human must enter the password again.
      Grant: 365 * DAY,
      IdToken: HOUR,
      Interaction: 30 * MINUTE,
      RefreshToken: 30 * DAY,
      // A session without an account only stores the state of a form. Anyone can create such a session, so it expires early.
      Session: (_ctx, session) => (session.accountId ? 14 * DAY : 30 * MINUTE),
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
