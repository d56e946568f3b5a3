/**
 * Limits the memory of incomplete or unread request bodies, of pipelined requests that wait, and of large
 * heads of held requests.
 */
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { WireroomError } from "../../../src/contract/errors.js";
import type { SourceOf } from "../source.js";
import { ByteBudget } from "./byte-budget.js";

const MIB = 1024 * 1024;

/** docs/specification/limits.md#connections */
const LIMITS_OF_ACCOUNTS = { total: 128 * MIB, perOwner: 16 * MIB };
/** Separate limits for requests without a known account, so that they displace no account's requests. */
const LIMITS_OF_SOURCES = { total: 64 * MIB, perOwner: 16 * MIB };
const RETRY_AFTER_SECONDS = 1;

interface Request extends IncomingMessage {
  /** Refuses the request to free its memory. */
  refuse(error: WireroomError): void;
}

export class RequestMemory {
  private readonly accounts: ByteBudget<Request>;
  private readonly sources: ByteBudget<Request>;

  constructor(
    private readonly sourceOf: SourceOf,
    private readonly log: Logger,
  ) {
    const refuse = (request: Request) => request.refuse(tooManyUnfinished());
    this.accounts = new ByteBudget(LIMITS_OF_ACCOUNTS, refuse);
    this.sources = new ByteBudget(LIMITS_OF_SOURCES, refuse);
  }

  /**
   * Adds bytes to a request. Above a limit, refuses the oldest requests of the account or source with the
   * most bytes, which may include this request.
   */
  add(request: Request, account: string | undefined, bytes: number): void {
    if (account === undefined) count(this.sources, request, this.sourceOf(request), bytes);
    else count(this.accounts, request, account, bytes);
  }

  remove(request: Request): void {
    this.sources.remove(request);
    this.accounts.remove(request);
  }

  /** Closes the connection of a request to which no response is possible. */
  close({ socket }: Request, reason: string): void {
    this.log.info({ operation: "none", reason }, "connection closed");
    socket.destroy();
  }
}

function count(budget: ByteBudget<Request>, request: Request, owner: string, bytes: number): void {
  budget.add(request, owner, bytes);
  while (budget.bytesOf(owner) > budget.limits.perOwner) budget.dropOldest(owner);
  while (budget.total > budget.limits.total) budget.dropOldest(budget.largestOwner());
}

function tooManyUnfinished(): WireroomError {
  const message =
    "too many unfinished requests of this account or network take memory; finish some of them first, and try again";
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
