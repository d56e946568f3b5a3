/** Runs the operations that an HTTP request's MCP messages call, for all protocol revisions. */
import type { Context as KoaContext } from "koa";
import type { WireroomError } from "../../src/contract/errors.js";
import type { Operation } from "../../src/contract/operation.js";
import type { JsonText } from "../../src/kernel/raw-json.js";
import { contextOf, type Invocation, invoke } from "../../src/service/dispatch/invoke.js";
import type { Agent } from "../../src/service/pipeline/caller.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { Admission } from "../http/admission.js";
import { createAbortSignal, logAndConvertError, stateOf } from "../http/request.js";
import { setRateLimitHeaders, setRetryAfter } from "../http/responses.js";
import { Placeholders } from "./tool-result.js";

interface RunOptions {
  /** The operation's name for logs and metrics, without the prefix `mcp.`. */
  name: string;
  /** Number of times that the response contains the body. */
  copies: number;
}

export class McpExchange {
  readonly placeholders: Placeholders;
  /** Set if the caller's key or token became invalid during a call that the client can repeat. */
  private unauthorized: WireroomError | undefined;

  constructor(
    private readonly ctx: KoaContext,
    private readonly service: Service,
    private readonly caller: Agent,
    private readonly admission: Admission,
  ) {
    this.placeholders = new Placeholders(stateOf(ctx).requestId);
  }

  fillPlaceholders(response: string): string {
    return this.placeholders.fill(response);
  }

  /** Whether the client accepts an event stream. A JSON response cannot contain notifications. */
  get acceptsEvents(): boolean {
    return this.ctx.accepts("text/event-stream") !== false;
  }

  /** Returns whether the operating system has accepted the whole response so far. */
  readonly isReading = (): boolean => this.ctx.res.writableLength === 0;

  adoptTrace(traceparent: string): void {
    stateOf(this.ctx).trace?.adopt(traceparent);
  }

  async run(
    operation: Operation,
    invocation: Invocation,
    { name, copies }: RunOptions,
  ): Promise<{ body: JsonText } | { error: WireroomError }> {
    const { ctx, service, caller } = this;
    this.nameOperation(name);
    const refusal = this.admission.refusalOfStore(ctx.req, operation.method);
    if (refusal) return { error: this.failed(refusal) };
    const signal = createAbortSignal(ctx, invocation.input);
    const state = stateOf(ctx);
    const context = contextOf(service, caller, state.requestId, signal, state);
    const outcome = await invoke(operation, context, invocation);
    // `invoke` sets `state.limits` as soon as a write's transaction has ended.
    const tookEffect = operation.method !== "GET" && state.limits !== undefined;
    state.limits = outcome.limits;
    setRateLimitHeaders(ctx, outcome.limits);
    try {
      if (outcome.error) throw outcome.error;
      const body = outcome.body!;
      state.waitingBytes.add(ctx.res, caller.account.id, copies * body.length, operation.method !== "GET");
      return { body };
    } catch (thrown) {
      const error = this.failed(thrown);
      // After a 401, clients repeat the call. Without an idempotency key, that would send a wire twice.
      const isRepeatable = !tookEffect || invocation.idempotencyKey !== undefined;
      if (error.code === "UNAUTHORIZED" && isRepeatable) this.unauthorized = error;
      return { error };
    }
  }

  nameOperation(name: string): void {
    stateOf(this.ctx).operation = `mcp.${name}`;
  }

  /** Throws UNAUTHORIZED if the client must repeat the call with another key or token. */
  assertStillAuthorized(): void {
    if (this.unauthorized) throw this.unauthorized;
  }

  failed(thrown: unknown): WireroomError {
    const error = logAndConvertError(this.ctx, thrown);
    stateOf(this.ctx).status = error.status;
    setRetryAfter(this.ctx, error);
    return error;
  }
}
