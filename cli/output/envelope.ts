/** Errors that come as the content of an answer, such as why an approved wire could not be sent. */
import { type ErrorEnvelope, WireroomError } from "../../sdk/src/index.js";

/** The envelope as the error that a call would have thrown. @param prefix stands before its message */
export function errorOf(envelope: ErrorEnvelope, prefix = ""): WireroomError {
  const { code, message, errors, rule_source, schema_ref, schema_url, retry_after } = envelope;
  return new WireroomError(`${prefix}${message}`, {
    code,
    errors,
    ruleSource: rule_source,
    schemaRef: schema_ref,
    schemaUrl: schema_url,
    retryAfter: retry_after,
  });
}
