/** Fetches client ID metadata documents. Strangers can choose their URLs. */
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import CachePolicy from "http-cache-semantics";
import { WireroomError } from "../../../../src/contract/errors.js";
import { DAY, SECOND } from "../../../../src/kernel/clock.js";
import { networksOf } from "../../../../src/kernel/networks.js";
import { errorFields } from "../../log.js";
import type { IdentityContext, TestServers } from "../../service.js";
import { FairQueue } from "../../throttle/fair-queue.js";
import { isPublicAddress } from "./public-addresses.js";

/** Limits for fetching a document (docs/specification/identity.md#applications). */
const TIMEOUT_MS = 5 * SECOND;
export const MAX_DOCUMENT_BYTES = 5 * 1024;
/** A source runs at most one fetch and a network at most eight, so that slow servers delay nobody else. */
const QUEUE = { concurrency: 16, runningPerGroup: 8, waitingPerSource: 8, waiting: 64 };

export interface RequestScope {
  source: string;
  /** Documents fetched for this request, keyed by URL. oidc-provider asks for each document twice. */
  documents: Map<string, Promise<FetchedDocument>>;
}

interface FetchedDocument {
  text: string;
  freshnessSeconds: number;
}

/** Thrown if a later fetch may succeed. All other errors are permanent. */
export class DocumentUnavailable extends Error {
  override readonly name = "DocumentUnavailable";
}

const TEMPORARY = /^(408|429|5..)$/;

/**
 * Returns the `fetch` function with which oidc-provider loads client metadata documents. It connects only to
 * public addresses and follows no redirects. Its responses say in `Cache-Control` how long to cache them.
 */
export function createDocumentFetch(
  { log, tuning }: IdentityContext,
  currentRequest: () => RequestScope,
): typeof fetch {
  const queue = new FairQueue(QUEUE);
  const testServers = tuning?.testServers;

  const load = async (url: URL): Promise<FetchedDocument> => {
    if (url.protocol !== "https:") throw new Error("the URL must use https");
    // Load undici at the first fetch, because it takes time.
    const { Agent, request } = await import("undici");
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ""), signal, testServers);
    const agent = new Agent({
      // Connect to the checked addresses, because a second lookup could return other addresses (DNS
      // rebinding).
      connect: { lookup: lookupOf(addresses), ...(testServers && { ca: testServers.ca }) },
      maxResponseSize: MAX_DOCUMENT_BYTES,
    });
    try {
      const headers = { accept: "application/json" };
      const response = await request(url, { dispatcher: agent, headers, signal }).catch(throwUnavailable);
      if (response.statusCode !== 200) {
        const problem = `the server responded with status ${response.statusCode}`;
        throw TEMPORARY.test(String(response.statusCode))
          ? new DocumentUnavailable(problem)
          : new Error(problem);
      }
      const text = await response.body.text().catch((error: NodeJS.ErrnoException) => {
        if (error.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") throw error;
        return throwUnavailable(error);
      });
      return { text, freshnessSeconds: freshnessSeconds(response.headers) };
    } finally {
      await agent.destroy();
    }
  };

  const loadAndLog = async (url: URL) => {
    try {
      return await load(url);
    } catch (error) {
      log.warn({ host: url.host, ...errorFields(error) }, "the metadata of a client cannot be fetched");
      throw error;
    }
  };

  return async (input) => {
    const { source, documents } = currentRequest();
    const url = new URL(input as string);
    const fetched = documents.get(url.href) ?? queue.run(networksOf(source), () => loadAndLog(url));
    documents.set(url.href, fetched);
    const { text, freshnessSeconds: maxAge } = await fetched.catch((error: unknown) => {
      // The queue is full.
      throw error instanceof WireroomError ? new DocumentUnavailable(error.message) : error;
    });
    return new Response(text, { headers: { "cache-control": `max-age=${maxAge}` } });
  };
}

/**
 * Returns how many seconds a shared cache may keep a response, at most a day (RFC 9111, section 4.2). Returns
 * 0 if the response does not say.
 */
export function freshnessSeconds(headers: Record<string, string | string[] | undefined>): number {
  // `http-cache-semantics` expects directive names in lower case.
  const joined = Object.entries(headers).map(([name, value]) => [
    name,
    [value].flat().join(",").toLowerCase(),
  ]);
  const response = { status: 200, headers: Object.fromEntries(joined) as Record<string, string> };
  const policy = new CachePolicy({ headers: {} }, response, { cacheHeuristic: 0, immutableMinTimeToLive: 0 });
  return Math.round(Math.min(DAY, policy.timeToLive()) / SECOND);
}

function throwUnavailable(error: Error): never {
  throw new DocumentUnavailable(error.message, { cause: error });
}

interface Address {
  address: string;
  family: 4 | 6;
}

/**
 * Returns all of a host's addresses. Throws if any of them is not public. Queries the name servers directly,
 * because the system's lookup occupies a thread that the database needs.
 */
async function addressesOf(
  hostname: string,
  signal: AbortSignal,
  testServers: TestServers | undefined,
): Promise<Address[]> {
  const known = testServers?.addresses[hostname];
  if (known !== undefined) return [addressOf(known)];
  const found = isIP(hostname) ? [hostname] : await resolveAll(hostname, signal);
  if (!found.every(isPublicAddress)) throw new Error("the host is not on the public internet");
  return found.map(addressOf);
}

async function resolveAll(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2 * SECOND, tries: 2 });
  signal.addEventListener("abort", () => resolver.cancel(), { once: true });
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  if (found.length === 0) throw new DocumentUnavailable("the host has no address");
  return found;
}

function addressOf(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

function lookupOf(addresses: readonly Address[]): LookupFunction {
  const [first] = addresses as [Address];
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
