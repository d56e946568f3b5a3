/** Requirements of docs/specification/identity.md, by the anchor of their section and by their id. */
export const identityRequirements = {
  credentials: {
    "S4-key-required": "Every operation that is not a dashboard operation requires an API key.",
    "S5-key-scheme": "A missing or invalid API key is answered with 401 UNAUTHORIZED.",
    "S5-token-scheme": "A missing, invalid or expired ID token is answered with 403 FORBIDDEN.",
    "S5-key-is-handle": "An API key identifies a handle, and an ID token identifies a human account.",
    "S5-worlds-apart":
      "An API key is never accepted for a dashboard operation, nor an ID token for an agent operation.",
    "S5-default-scheme":
      "The OpenAPI document requires the API key by default, and dashboard operations override it.",
  },
  "api-keys": {
    "D9-key-401": "A revoked, an expired and an unknown key get the identical 401.",
  },
  "access-tokens": {
    "D13-token-handle": "An access token stands for the handle that a human chose for a client.",
    "D13-token-401": "An unknown, malformed or expired access token is answered with 401.",
    "D13-connection-ends":
      "A connection ends with all its tokens when it is revoked, and when its handle is retired.",
    "D13-idle-90-days": "A connection ends after 90 days without a new token and without a call.",
    "D13-purge":
      "Expired tokens and connections are deleted within a day, and revoked connections after 400 days.",
  },
  "id-tokens": {
    "D10-algorithms": "Signatures are RS256, PS256, ES256 or EdDSA (also named Ed25519).",
    "D10-no-none": "The algorithm none is rejected.",
    "D10-no-symmetric": "Symmetric signatures are rejected.",
    "D10-no-own-key": "A token that brings its own key (jwk, jku, x5u) is rejected.",
    "D10-typ": "`typ`, if given, must be JWT.",
    "D10-claims":
      "`iss`, `aud`, `exp`, `sub` and `email` are required, and `email_verified` must not be false.",
    "D10-azp": "An `azp` beside several audiences is the configured audience.",
    "D10-clock": "Clocks may differ by 30 s.",
    "D10-account": "An account is one pair of issuer and subject.",
    "D10-email-changes": "The account takes over a changed e-mail address.",
  },
  "external-provider": {
    "D10-discovery":
      "The daemon finds the keys of any OpenID Connect provider through its discovery document.",
    "D10-loopback": "An http issuer is accepted on loopback only.",
  },
  "sign-in-at-the-external-provider": {
    "D13-external-sign-in":
      "With a client at the external provider, the daemon is the authorization server, and hands the sign-in on.",
    "D13-external-response":
      "A response is accepted once, in the browser that began the sign-in, with a token for this sign-in.",
    "D13-external-errors":
      "A failed sign-in is shown on a page, and the application is told when the human cancels.",
  },
  "which-provider": {
    "C-provider-published":
      "The daemon publishes its identity provider and the client to sign in with (RFC 9728).",
  },
  "embedded-provider": {
    "D10-embedded": "Without an external issuer, the daemon runs its own provider under {origin}/identity.",
  },
  "sign-up": {
    "S5-sign-up": "Humans sign up with e-mail and password, confirmed by a code.",
    "D10-sign-up": "POST /identity/sign-up answers 202.",
    "D10-confirm": "POST /identity/confirm answers 200; the code has 6 digits.",
    "D10-resend": "POST /identity/resend answers 202.",
    "D10-own-code": "A code confirms only the sign-up that sent it, together with its password.",
    "D10-ends-others": "Confirming a sign-up ends all others of the address.",
    "D10-browser-sign-up": "On the page, the browser that signed up enters the code without the password.",
    "D10-common-passwords": "Common passwords are rejected.",
    "D10-hash": "Passwords are hashed with a memory-hard function.",
    "D10-no-tells": "No answer tells whether an address has an account.",
  },
  codes: {
    "D10-code-age": "A code expires 10 minutes after its mail was sent.",
    "D10-code-tries": "A code expires after 5 wrong tries, which strangers cannot use up.",
    "D10-code-source": "After 10 wrong codes within 15 minutes, a source gets 429.",
    "D10-long-code":
      "After 20 wrong codes for an address within a day, its mails bring a code of 128 bits, and no shorter one is accepted.",
  },
  mails: {
    "D10-code-mail": "With `--smtp-url`, the code is mailed to the address.",
    "D10-code-log": "Without `--smtp-url`, the code is printed in the log of the daemon.",
    "D10-mail-spacing":
      "The n-th further mail is sent at least 30 s × 2^n after the one before, at most an hour.",
    "D10-mail-hourly": "At most 20 mails an hour go to one address.",
    "D10-mail-fair":
      "The source whose networks caused the fewest mails comes first, and no network uses up the mails of an hour.",
    "D10-mail-kept": "A mail that cannot be sent yet is sent later, with a code that is valid from then on.",
    "D10-stray-mails": "Mails to addresses without an account are limited by network and in all.",
  },
  passwords: {
    "D10-forgot": "POST /identity/forgot answers 202 and sends a code.",
    "D10-reset": "POST /identity/reset answers 200, and the new password holds.",
    "D10-reset-ends":
      "A new password ends all sessions, refresh tokens and ID tokens of the account; API keys stay.",
    "D10-reset-mail": "A mail states that the password was changed.",
    "D10-reset-page": "The sign-in page leads to forms for a forgotten password.",
    "D10-change": "POST /identity/password replaces the password and keeps only the sign-in of its ID token.",
  },
  "sign-in": {
    "D10-device": "The token endpoint supports the device flow.",
    "D10-pkce": "The token endpoint supports the authorization code with PKCE.",
    "D10-refresh": "The token endpoint supports refresh.",
    "D10-password-grant": "The token endpoint supports a password grant for the public client wireroom-cli.",
    "D10-code-burned":
      "An authorization code is used up by any attempt to redeem it, and a second use revokes.",
    "D10-grants": "A grant that the client may not use returns unauthorized_client.",
  },
  "local-sign-in": {
    "D20-local-sign-in": "POST /identity/local with the secret answers as the password grant does.",
    "D20-local-secret":
      "The secret is new at each start, readable by its owner alone, and deleted at the daemon's end or next start.",
    "D20-local-address":
      "The address ends in @localhost and its account has no password; ordinary sign-up refuses such addresses.",
    "D20-local-source": "Only a loopback connection without headers of proxies and browsers is accepted.",
    "D20-local-off":
      "Without local sign-in there is neither the file nor the route; it is on by default on a loopback address alone.",
    "D20-local-audit": "A local sign-in is in the audit log as session.local.",
    "D20-password-set":
      "An account without a password gets a confirmed address and a password; its sign-ins stay, and its former address is refused.",
  },
  throttling: {
    "D10-source-throttle":
      "10 wrong passwords or user codes from one source in 15 minutes: 429 for that source alone.",
    "D10-account-throttle":
      "100 wrong passwords for one account: each further try needs a mailed code as well, and the owner gets in with one.",
    "D10-rows-capped":
      "Requests that write to the database without a credential are capped by source, by network and in all.",
    "D10-rows-small": "A request without a credential stores a few kilobytes at most.",
    "D10-fair":
      "The flood of a source or a network costs others nothing, and no flood keeps the owner of an account waiting.",
  },
  lifetimes: {
    "D10-token-hour": "An ID token is valid for 1 hour.",
  },
  pages: {
    "C-page-no-script": "No page needs a script.",
    "C-page-access":
      "Pages work at 320 pixels, in light and in dark colours, and conform to WCAG 2.2, level AA.",
    "C-page-keyboard": "Pages work by keyboard, and the focus is on the field to correct.",
    "C-page-policy":
      "Pages load nothing from elsewhere, run no script but those of oidc-provider, and cannot be framed.",
    "C-page-consent":
      "The page that connects an application says who asks and what follows, and the human chooses one handle.",
    "C-page-hostile-name": "Text of an application stays text, and its invisible characters are shown.",
    "D10-served-hosts": "The identity provider rejects a request whose Host is not a name of the daemon.",
  },
  discovery: {
    "D13-challenge": "A 401 leads to the metadata of its resource.",
    "D13-resource-metadata": "The metadata of the protected resources names the authorization server.",
    "D13-server-metadata": "The metadata of the authorization server is at all well-known addresses.",
    "D13-cors": "Web pages of any origin may use metadata, registration, token and revocation endpoints.",
    "D13-no-server":
      "With an external provider and no client there, there is no authorization server, and a 401 carries a bare Bearer.",
  },
  applications: {
    "D13-document": "An application may identify itself by a client ID metadata document.",
    "D13-document-guard": "A metadata document is fetched only from the public internet, within limits.",
    "D13-document-cache": "A metadata document is used as long as HTTP caching allows, at most a day.",
    "D13-registration": "An application may register as a public client.",
    "D13-registration-limits":
      "Registrations are limited by source, by network and in all, deleted if they are not used, and give way to new ones.",
    "D13-redirect-uris":
      "Redirect URIs use https, http on this machine or a private-use scheme, and match exactly but for a loopback port.",
    "D13-forgotten":
      "For an unknown client, the page says to remove the server in the application and to add it again.",
  },
  authorization: {
    "D13-flow": "From the URL of the MCP endpoint alone, the OAuth flow ends in a tool call.",
    "D13-resource": "`resource` is the MCP endpoint or the API, in whichever spelling; any other is refused.",
    "D13-scope": "The scope is wireroom, and there is no ID token.",
    "D13-code": "A code serves once, is used up by any attempt, and a second use ends the connection.",
    "D13-consent": "The human chooses one handle and approves, each time.",
    "D13-form-token": "Each form has a token that works once.",
    "D13-no-open-redirect": "An error that no human has seen is not sent to another site.",
  },
  "refresh-tokens": {
    "D13-refresh-grace":
      "A used refresh token is accepted for 30 s more, unless a later one refreshed, so that sessions can share it.",
    "D13-refresh-reuse": "Any other use of a used refresh token ends the connection.",
    "D13-refresh-limit":
      "A connection is refreshed at most 60 times an hour, and more attempts do not end it.",
    "D13-revocation": "The application can revoke its tokens, which ends the connection.",
    "D13-outlives-password": "A new password ends no connection.",
  },
} as const;
