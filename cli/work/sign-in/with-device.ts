/** Signing in with the device flow (RFC 8628): a code in the terminal, the sign-in itself in any browser. */
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf } from "./provider.js";
import { providerError } from "./provider-errors.js";

/** The code, and where the person enters it. */
export interface DeviceCode {
  userCode: string;
  /** Where it is entered. */
  url: string;
  /** The same, with the code filled in, where the provider has such an address. */
  completeUrl: string | undefined;
  /** Seconds until the code ends. */
  seconds: number;
}

/** Waits until the person has signed in, or has refused, or the code has ended. */
export async function signInWithDevice(
  provider: Provider,
  show: (code: DeviceCode) => void,
): Promise<SignIn> {
  const { config, scope, deviceEndpoint, issuer } = provider;
  if (deviceEndpoint === undefined)
    throw new Failure("USAGE", `${issuer} has no device flow`, [
      "Sign in in a browser: wireroom login --browser",
    ]);
  try {
    const device = await oidc.initiateDeviceAuthorization(config, { scope });
    show({
      userCode: device.user_code,
      url: device.verification_uri,
      completeUrl: device.verification_uri_complete,
      seconds: device.expires_in,
    });
    return signInOf(provider, await oidc.pollDeviceAuthorizationGrant(config, device));
  } catch (error) {
    if (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT")
      throw new Failure("SIGN_IN_FAILED", "the code was not entered in time", ["wireroom login"]);
    throw providerError(error, issuer);
  }
}
