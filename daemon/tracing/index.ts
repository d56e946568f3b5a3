/** Traces of requests, by OpenTelemetry (docs/observability.md#traces). Loaded only with an endpoint. */
import type { RequestTrace } from "../../src/service/pipeline/context.js";

/** The trace of one request. */
export interface TracedRequest extends RequestTrace {
  /**
   * Makes the span a child of this context, unless a part was recorded before. An MCP message brings its own
   * context (`_meta.traceparent`).
   */
  adopt(traceparent: string): void;
  /** Called when the request has ended. */
  end(result: RequestResult): void;
}

export interface RequestResult {
  requestId: string;
  method: string;
  operation: string;
  status: number;
}

export interface Tracing {
  /**
   * Begins the trace of a request.
   * @param traceparent context of the caller (https://www.w3.org/TR/trace-context/); ignored if malformed
   */
  begin(traceparent: string | undefined): TracedRequest;
  /** Exports what was recorded. */
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns undefined if the standard variables of OpenTelemetry name no endpoint or disable it
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export async function openTracing(environment: Environment): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  const { OTEL_SDK_DISABLED = "", OTEL_TRACES_EXPORTER = "otlp" } = environment;
  if (OTEL_SDK_DISABLED.toLowerCase() === "true" || OTEL_TRACES_EXPORTER === "none") return undefined;
  const { OpenTelemetryTracing } = await import("./opentelemetry.js");
  return new OpenTelemetryTracing(environment);
}
