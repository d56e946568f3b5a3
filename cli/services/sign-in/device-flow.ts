/** Signs in with the device flow (RFC 8628): the human enters a code in a browser on any device. */
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf } from "./provider.js";
import { toCliError } from "./provider-errors.js";

export interface DeviceCode {
  userCode: string;
  url: string;
  /** Address with the code already filled in. It is undefined if the provider has no such address. */
  completeUrl: string | undefined;
  expiresInSeconds: number;
}

/** Waits until the human has signed in. Throws a `Failure` if the human refuses or the code expires. */
export async function signInWithDevice(
  provider: Provider,
  show: (code: DeviceCode) => void,
): Promise<SignIn> {
  const { config, scope, deviceEndpoint, issuer } = provider;
  if (deviceEndpoint === undefined)
    throw new Failure("USAGE", `${issuer} does not support the device flow`, [
      "Sign in with a browser on this machine: wireroom login --browser",
    ]);
  try {
    const device = await oidc.initiateDeviceAuthorization(config, { scope });
    show({
      userCode: device.user_code,
      url: device.verification_uri,
      completeUrl: device.verification_uri_complete,
      expiresInSeconds: device.expires_in,
    });
    return signInOf(provider, await oidc.pollDeviceAuthorizationGrant(config, device));
  } catch (error) {
    if (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT")
      throw new Failure("SIGN_IN_FAILED", "the code expired before it was entered", [
        "Try again: wireroom login",
      ]);
    throw toCliError(error, issuer);
  }
}
