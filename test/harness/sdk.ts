/** SDK clients for tests. */
import { Wireroom, WireroomDashboard, type WireroomOptions } from "../../sdk/src/index.js";
import type { TestDaemon } from "./daemon.js";

export interface SdkAgent {
  slug: string;
  id: string;
  key: string;
  wr: Wireroom;
}

/** Creates a handle with a key, and an SDK client for it. */
export async function createSdkAgent(
  daemon: TestDaemon,
  slug: string,
  options: WireroomOptions = {},
): Promise<SdkAgent> {
  const { id, key } = await daemon.createAgent(slug);
  return { slug, id, key, wr: new Wireroom({ apiKey: key, baseUrl: daemon.base, ...options }) };
}

/** Returns a dashboard client of the human with this name. */
export async function dashboardClient(daemon: TestDaemon, name: string): Promise<WireroomDashboard> {
  const idToken = () => daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } });
  return new WireroomDashboard({ idToken, baseUrl: daemon.base });
}
