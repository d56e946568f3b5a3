/** Reads the inbox with Node's own HTTP client, because it loads faster than the SDK. */

/** Maximum number of items in a page. */
export const PAGE_LIMIT = 100;
/** Maximum response size. The service's pages are smaller, so this only protects against other servers. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Thrown if the daemon's status is not 200. */
export class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";

  constructor(readonly status: number | undefined) {
    super(`status ${status}`);
  }
}

/** Returns the first page of unread items, with cut texts and without payloads. Acknowledges nothing. */
export async function readInbox(baseUrl: string, credential: string, signal: AbortSignal): Promise<unknown> {
  const url = new URL(`${baseUrl}/inbox?limit=${PAGE_LIMIT}&brief=true`);
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const headers = { authorization: `Bearer ${credential}`, accept: "application/json" };
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) return void request.destroy(new UnexpectedStatus(response.statusCode));
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy(new Error("the page is too large"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("end", () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.once("error", reject);
  });
}
