/** Configures oidc-provider: clients, features, lifetimes, and the rules for grants and consent. */
import type {
  AdapterFactory,
  ClientMetadata,
  Configuration,
  errors as Errors,
  interactionPolicy as InteractionPolicy,
  JWKS,
  KoaContextWithOIDC,
  RefreshToken,
} from "oidc-provider";
import { CHECKED_FIELD, checkClientMetadata } from "./clients/client-metadata.js";
import { MAX_DOCUMENT_BYTES } from "./clients/metadata-documents.js";
import { APPLICATION_SCOPE, CONSOLE_CLIENT_ID, isApplication, SCOPE } from "./clients/own-clients.js";
import * as pages from "./pages/index.js";
import { APPLICATION_TTL } from "./records/grants.js";
import { canonicalResource } from "./requests/resources.js";
import { accountOf, GRANT_CLAIM } from "./sign-in/account.js";
import { isConsoleSession } from "./sign-in/console-session.js";
import { cookiePrefix } from "./sign-in/cookies.js";
import type { Humans } from "./sign-in/humans.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export interface ConfigurationOptions {
  publicOrigin: string;
  /** The resources for which applications get tokens. The default comes first. */
  resources: readonly string[];
  mountPath: string;
  /** Wireroom's own clients. */
  clients: ClientMetadata[];
  adapter: AdapterFactory;
  humans: Humans;
  jwks: JWKS;
  cookieKeys: string[];
  errors: typeof Errors;
  interactionPolicy: typeof InteractionPolicy;
  fetchDocument: typeof fetch;
  /** Counts the fetch of a metadata document. Throws if there were too many. */
  countFetch(ctx: KoaContextWithOIDC | undefined): void;
  newClientId(ctx: KoaContextWithOIDC): string;
}

/**
 * Returns oidc-provider's configuration. Sets every function for which oidc-provider otherwise prints a
 * notice.
 */
export function configuration(options: ConfigurationOptions): Configuration {
  const { publicOrigin, resources, mountPath, clients, adapter, humans, jwks, cookieKeys, errors } = options;
  const prefix = cookiePrefix(publicOrigin);
  const cookie = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const;
  return {
    adapter,
    clients,
    // Applications are public clients, so a client has no authentication method by default.
    clientAuthMethods: ["none"],
    clientDefaults: { token_endpoint_auth_method: "none" },
    extraClientMetadata: {
      properties: [CHECKED_FIELD],
      validator: (_ctx, _name, _value, metadata) => checkClientMetadata(metadata, errors),
    },
    fetch: options.fetchDocument,
    fetchResponseBodyLimits: { "client_id metadata document": MAX_DOCUMENT_BYTES },
    jwks,
    scopes: SCOPE.split(" "),
    claims: { openid: ["sub", GRANT_CLAIM], email: ["email", "email_verified"] },
    // Put `email` into the ID token too, because the daemon reads it there.
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    discovery: { revocation_endpoint_auth_methods_supported: ["none"] },
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin, client) => isApplication(client.clientId) || origin === publicOrigin,
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
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: async (ctx) => {
          options.countFetch(ctx);
          return true;
        },
        cacheDuration: { min: 0, max: DAY },
      },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: options.newClientId,
      },
      // Choose `none` if a metadata document offers several authentication methods.
      rpMetadataChoices: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, client, requested) =>
          requested ?? (isApplication(client?.clientId) ? resources : [])[0]!,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, resource, client) => {
          const isOne = typeof ctx.oidc.params?.resource !== "object";
          if (!isOne || !isApplication(client.clientId) || !resources.includes(resource))
            throw new errors.InvalidTarget(`resource must be ${resources.join(" or ")}`);
          return { scope: APPLICATION_SCOPE, accessTokenFormat: "opaque" };
        },
      },
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
        enabled: clients.some(({ grant_types = [] }) => grant_types.includes(DEVICE_GRANT)),
        deviceInfo: () => ({}),
        userCodeInputSource: pages.userCodeInput,
        userCodeConfirmSource: pages.userCodeConfirm,
        successSource: pages.deviceSignedIn,
      },
    },
    // The console has a button that leads to the sign-up page.
    extraParams: ["screen_hint"],
    interactions: {
      policy: signInPolicy(options),
      url: (_ctx, { uid, params, prompt }) =>
        `${mountPath}/interaction/${uid}${params.screen_hint === "sign-up" && prompt.name === "login" ? "?page=sign-up" : ""}`,
    },
    renderError: pages.providerError,
    async findAccount({ oidc: { params } }, sub, token) {
      // oidc-provider calls this function before it compares the requested resource with the authorized one.
      if (typeof params?.resource === "string")
        params.resource = canonicalResource(params.resource, resources);
      const human = await humans.find(sub);
      if (!human) return undefined;
      if (isVersioned(token) && !(await isOfVersion(token as VersionedToken, human.version, adapter)))
        return undefined;
      return accountOf({ id: sub, email: human.identity.email }, token?.grantId);
    },
    // Wireroom's own clients get a new grant for each sign-in. An application gets only what the human has
    // just approved, regardless of earlier approvals.
    loadExistingGrant: (ctx) =>
      isApplication(ctx.oidc.client?.clientId) ? approvedGrant(ctx) : newGrant(ctx),
    issueRefreshToken: (ctx, client) => {
      // From any other endpoint, the console would get tokens of a sign-in that the human cannot end.
      if (client.clientId === CONSOLE_CLIENT_ID && !isConsoleSession(ctx))
        throw new errors.UnauthorizedClient("the console gets its tokens from /identity/console/session");
      return client.grantTypeAllowed("refresh_token");
    },
    // The command line's sign-in stays valid after the browser session has ended.
    expiresWithSession: () => false,
    // Each use returns a new refresh token. If a used refresh token is used again, all tokens of its grant
    // are revoked (RFC 9700, section 4.14.2).
    rotateRefreshToken: ({ oidc }) => {
      // Check here, because oidc-provider would reject a wrong resource only after using up the token.
      const { params, entities } = oidc;
      if (params?.resource !== undefined && params.resource !== entities.RefreshToken?.resource)
        throw new errors.InvalidTarget("resource must be the one that the connection was approved for");
      return true;
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      DeviceCode: 10 * MINUTE,
      // When a grant expires, the human must sign in again.
      Grant: (_ctx, { clientId }) => (isApplication(clientId) ? APPLICATION_TTL.Grant : 365 * DAY),
      IdToken: HOUR,
      Interaction: 30 * MINUTE,
      RefreshToken: (_ctx, token) => refreshTokenTtl(token, humans),
      // Anyone can create sessions without an account, so they expire early.
      Session: (_ctx, session) => (session.accountId ? 14 * DAY : 30 * MINUTE),
    },
  };
}

function refreshTokenTtl(token: RefreshToken, { maxSessionSeconds }: Humans): number {
  if (isApplication(token.clientId)) return APPLICATION_TTL.RefreshToken;
  return maxSessionSeconds === undefined
    ? 30 * DAY
    : Math.max(1, maxSessionSeconds - Math.floor(token.totalLifetime()));
}

/**
 * Returns whether a password change invalidates a token. Access tokens, which live only an hour, and
 * connections stay valid (docs/specification/identity.md#passwords).
 */
function isVersioned(token: { kind?: string; clientId?: string } | undefined): boolean {
  if (token === undefined || token.kind === "AccessToken") return false;
  return token.kind !== "RefreshToken" || !isApplication(token.clientId);
}

interface VersionedToken {
  kind: string;
  jti: string;
  acr?: string;
}

/** Returns whether a token was issued for the human's current sign-in version. */
async function isOfVersion(
  { kind, jti, acr }: VersionedToken,
  version: string | undefined,
  adapter: AdapterFactory,
): Promise<boolean> {
  if (acr === version) return true;
  if (kind !== "RefreshToken") return false;
  // Read the token again: if the human has just ended all other sign-ins, this token has the new version.
  const stored = await adapter(kind).find(jti);
  return stored !== undefined && stored.acr === version;
}

/** Returns oidc-provider's rules for sign-in and consent, plus a maximum age for sign-ins. */
function signInPolicy({ humans, interactionPolicy }: ConfigurationOptions) {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const { maxSignInSeconds } = humans;
  if (maxSignInSeconds === undefined) return policy;
  const isOld = ({ oidc: { session, result } }: KoaContextWithOIDC) =>
    session?.accountId !== undefined && session.past(maxSignInSeconds) && !result?.login;
  policy.get("login")!.checks.add(new Check("sign_in_age", "the human signs in again", isOld));
  return policy;
}

async function approvedGrant({ oidc }: KoaContextWithOIDC) {
  const { provider, client, account, result } = oidc;
  const grantId = result?.consent?.grantId;
  const grant = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  return grant?.accountId === account?.accountId && grant?.clientId === client?.clientId ? grant : undefined;
}

async function newGrant(ctx: KoaContextWithOIDC) {
  const { provider, client, account, result } = ctx.oidc;
  if (!client || !account || !result?.consent) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope(SCOPE);
  await grant.save();
  return grant;
}
