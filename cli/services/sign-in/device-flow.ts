/** Signs in with the device flow (RFC 8628): the human enters a code in a browser on any device. */
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf } from "./provider.js";
import { toCliError } from "./provider-errors.js";

export async function signInWithDevice(
  provider: Provider,
  show: (device: oidc.DeviceAuthorizationResponse) => void,
): Promise<SignIn> {
  const { config, scope, deviceEndpoint, issuer } = provider;
  if (deviceEndpoint === undefined)
    throw new Failure("USAGE", `${issuer} does not support the device flow`, [
      "Sign in with a browser on this machine: wireroom login --browser",
    ]);
  try {
    const device = await oidc.initiateDeviceAuthorization(config, { scope });
    show(device);
    return signInOf(provider, await oidc.pollDeviceAuthorizationGrant(config, device));
  } catch (error) {
    if (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT")
      throw new Failure("SIGN_IN_FAILED", "the code expired before it was entered", [
        "Try again: wireroom login",
      ]);
    throw toCliError(error, issuer);
  }
}
