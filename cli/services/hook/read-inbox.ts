/** Reads the inbox with Node's own HTTP client, which loads faster than the SDK. */

/** Returned in one page at most. */
export const PAGE_LIMIT = 100;
/** The agent waits for the hook, so a daemon that does not answer must not delay it for long. */
const TIMEOUT_MS = 2_000;
/** A page is smaller, because the service limits its size. This protects against any other server. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Returns the first page of unread items, without payloads and with the start of each text. Without a cursor, the request acknowledges nothing.
 * @param baseUrl REST base URL of the daemon
 * @throws Error if the daemon does not return 200
 */
export async function readInbox(baseUrl: string, credential: string): Promise<unknown> {
  const url = new URL(`${baseUrl}/inbox?limit=${PAGE_LIMIT}&brief=true`);
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const headers = { authorization: `Bearer ${credential}`, accept: "application/json" };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = get(url, { headers, agent: false, signal }, (response) => {
      if (response.statusCode !== 200)
        return void request.destroy(new Error(`status ${response.statusCode}`));
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
