/** Clients of the SDK for tests. */
import { Wireroom, WireroomDashboard, type WireroomOptions } from "../../sdk/src/index.js";
import type { TestDaemon } from "./daemon.js";

export interface SdkAgent {
  slug: string;
  id: string;
  key: string;
  wr: Wireroom;
}

/** A new handle with a key, and a client that acts as it. */
export async function sdkAgent(
  daemon: TestDaemon,
  slug: string,
  options: WireroomOptions = {},
): Promise<SdkAgent> {
  const { id, key } = await daemon.agent(slug);
  return { slug, id, key, wr: new Wireroom({ apiKey: key, baseUrl: daemon.base, ...options }) };
}

/** The client of a human of that name. */
export async function sdkHuman(daemon: TestDaemon, name: string): Promise<WireroomDashboard> {
  const idToken = () => daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } });
  return new WireroomDashboard({ idToken, baseUrl: daemon.base });
}
