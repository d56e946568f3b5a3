/**
 * Traces requests with OpenTelemetry (docs/observability.md#traces). Loads OpenTelemetry only if an endpoint
 * is configured.
 */
import type { OpenTelemetryTracing } from "./opentelemetry.js";

export type { OpenTelemetryTracing as Tracing, TracedRequest } from "./opentelemetry.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens tracing. Returns undefined if OpenTelemetry's standard variables name no endpoint or turn it off
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export async function openTracing(environment: Environment): Promise<OpenTelemetryTracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  const { OTEL_SDK_DISABLED = "", OTEL_TRACES_EXPORTER = "otlp" } = environment;
  if (OTEL_SDK_DISABLED.toLowerCase() === "true" || OTEL_TRACES_EXPORTER === "none") return undefined;
  const { OpenTelemetryTracing } = await import("./opentelemetry.js").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
      throw new Error("traces need packages that are not installed; see docs/observability.md#traces");
    },
  );
  return new OpenTelemetryTracing(environment);
}
