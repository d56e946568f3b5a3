/** Identity providers, external and embedded (decisions 10). */
export const identityRequirements: Readonly<Record<string, string>> = {
  "D10-discovery":
    "With --oidc-issuer, any OpenID Connect provider: keys are found through its discovery document.",
  "D10-algorithms": "RS256, PS256, ES256 and EdDSA (also named Ed25519) signatures.",
  "D10-no-none": "Never the algorithm none.",
  "D10-no-symmetric": "Never a symmetric signature.",
  "D10-no-own-key": "Never a key that the token itself brings (jwk, jku, x5u).",
  "D10-typ": "Where there is a typ, it is JWT.",
  "D10-claims": "iss, aud, exp and sub are required, email too, and email_verified must not be false.",
  "D10-clock": "Clocks may differ by 30 s.",
  "D10-account": "An account is one (iss, sub).",
  "D10-email-changes": "A changed e-mail is taken over.",
  "D10-loopback": "http issuers are accepted on loopback only.",
  "D10-embedded":
    "Without it the daemon runs its own provider, under {origin}/identity, with discovery and JWKS.",
  "D10-sign-up": "POST /identity/sign-up {email, password} answers 202.",
  "D10-confirm": "POST /identity/confirm {email, code} answers 200; the code has 6 digits.",
  "D10-resend": "POST /identity/resend {email} answers 202.",
  "D10-code-mail": "The code is sent to the address through --smtp-url.",
  "D10-code-log": "Without --smtp-url the code is printed in the daemon's log.",
  "D10-token-hour": "ID tokens live 1 hour.",
  "D10-device": "The provider's own token endpoint serves the device flow.",
  "D10-pkce": "It serves the authorization code with PKCE.",
  "D10-refresh": "It serves refresh.",
  "D10-password-grant":
    "For terminals and scripts, the grant urn:wireroom:params:oauth:grant-type:password (username, password) for the public client wireroom-cli.",
  "D10-hash": "Passwords are hashed with a memory-hard function.",
  "D10-code-age": "Codes expire after 10 minutes.",
  "D10-code-tries": "Codes expire after 5 wrong tries.",
  "D10-no-tells": "Nothing tells whether an address has an account.",
};
