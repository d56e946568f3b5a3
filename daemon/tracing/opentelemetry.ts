/** Records each request as an OpenTelemetry span. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { CONTRACT_VERSION, operations } from "../../src/contract/index.js";
import { monotonicMs, SECOND, systemTimeMs } from "../../src/kernel/clock.js";
import type { RequestTrace } from "../../src/service/pipeline/context.js";

/**
 * Versions after 00 may have additional fields, which are ignored (W3C Trace Context, section 4).
 * `tracestate` is not used.
 */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

const LONGEST_EXPORT_MS = SECOND;

const ROUTES = new Map<string, string>(operations.map(({ id, path }) => [id, `/v1${path}`]));

/** The exporter, batching, sampler and span limits read their `OTEL_…` variables themselves. */
export class OpenTelemetryTracing {
  private readonly provider: BasicTracerProvider;

  constructor({ OTEL_SERVICE_NAME }: Readonly<Record<string, string | undefined>>) {
    const own = { "service.name": OTEL_SERVICE_NAME || "wireroom", "service.version": CONTRACT_VERSION };
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
  }

  /**
   * Begins a request's trace.
   * @param traceparent the caller's trace context (https://www.w3.org/TR/trace-context/); ignored if
   * malformed
   */
  begin(traceparent: string | undefined): TracedRequest {
    return new TracedRequest(this.provider.getTracer("wireroom", CONTRACT_VERSION), traceparent);
  }

  async close(): Promise<void> {
    // The exporter would retry for ten seconds and delay the daemon's exit.
    const waiting = new AbortController();
    const limit = sleep(LONGEST_EXPORT_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.provider.shutdown().catch(() => undefined), limit]);
    waiting.abort();
  }
}

/**
 * A traced request. Its span is created late, at the first child span or the end, because the caller's trace
 * context may be in the body.
 */
export class TracedRequest implements RequestTrace {
  private readonly startedMs = monotonicMs();
  private span: Span | undefined;

  constructor(
    private readonly tracer: Tracer,
    private traceparent: string | undefined,
  ) {}

  /** Sets the caller's trace context from an MCP message. Has no effect once the request's span exists. */
  adopt(traceparent: string): void {
    this.traceparent = traceparent;
  }

  get callerContext(): string | undefined {
    const caller = spanContextOf(this.traceparent);
    if (caller?.traceFlags !== TraceFlags.SAMPLED) return undefined;
    return `00-${caller.traceId}-${caller.spanId}-01`;
  }

  get isRecorded(): boolean {
    return this.begun().isRecording();
  }

  link(contexts: readonly string[]): void {
    this.begun().addLinks(
      contexts.flatMap((each) => spanContextOf(each) ?? []).map((context) => ({ context })),
    );
  }

  record(part: string, startedMs: number, endedMs = monotonicMs()): void {
    const span = this.begun();
    if (!span.isRecording()) return;
    const parent = trace.setSpan(ROOT_CONTEXT, span);
    this.tracer.startSpan(part, { startTime: systemTimeOf(startedMs) }, parent).end(systemTimeOf(endedMs));
  }

  /**
   * Ends the span. Sets its name and the attributes from
   * https://opentelemetry.io/docs/specs/semconv/http/http-spans/. Omits text by agents.
   */
  end({
    requestId,
    method,
    operation,
    status,
  }: {
    requestId: string;
    method: string;
    operation: string;
    status: number;
  }): void {
    const span = this.begun();
    if (!span.isRecording()) return;
    const route = operation.startsWith("mcp.") ? "/mcp" : ROUTES.get(operation);
    span.updateName(operation);
    span.setAttributes({
      ...(route !== undefined && { "http.route": route }),
      ...(status >= 500 && { "error.type": String(status) }),
      "http.request.method": method,
      "http.response.status_code": status,
      "wireroom.operation": operation,
      "wireroom.request_id": requestId,
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  private begun(): Span {
    if (this.span) return this.span;
    const caller = spanContextOf(this.traceparent);
    const context = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
    const options = { kind: SpanKind.SERVER, startTime: systemTimeOf(this.startedMs) };
    this.span = this.tracer.startSpan("request", options, context);
    return this.span;
  }
}

function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function systemTimeOf(atMs: number): number {
  return systemTimeMs() - (monotonicMs() - atMs);
}
