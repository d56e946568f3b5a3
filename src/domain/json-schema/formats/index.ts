import published from "ajv-formats/dist/formats.js";
import { isHostname, isIdnHostname } from "./hostname.js";
import { isEmail } from "./mail.js";
import { isDate, isDateTime, isDuration, isTime } from "./time.js";
import { isUri, isUriReference, isUriTemplate, isUrl } from "./uri.js";

/** A format: a type, and a test for values of this type. Values of other types are always valid. */
export type Format =
  | { type: "string"; test: (text: string) => boolean }
  | { type: "number"; test: (value: number) => boolean };

type Published = RegExp | ((text: string) => boolean) | true | { type?: "number"; validate: unknown };

const fullFormats = published.fullFormats as Record<string, Published>;

/**
 * Formats that ajv-formats lacks, or checks less strictly than their RFCs (JSON Schema 2020-12 validation,
 * section 7.3).
 */
const OWN: Record<string, (text: string) => boolean> = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  duration: isDuration,
  email: (text) => isEmail(text, false),
  "idn-email": (text) => isEmail(text, true),
  hostname: isHostname,
  "idn-hostname": isIdnHostname,
  uri: (text) => isUri(text, false),
  "uri-reference": (text) => isUriReference(text, false),
  iri: (text) => isUri(text, true),
  "iri-reference": (text) => isUriReference(text, true),
  "uri-template": isUriTemplate,
  url: isUrl,
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  regex: isRegex,
};

/** All formats that a registered schema may use: those of JSON Schema 2020-12 and ajv-formats. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...Object.entries(fullFormats).map(([name, published]): [string, Format] => [name, adopt(published)]),
  ...Object.entries(OWN).map(([name, test]): [string, Format] => [name, { type: "string", test }]),
]);

function adopt(published: Published): Format {
  if (published === true) return { type: "string", test: () => true };
  if (published instanceof RegExp) return { type: "string", test: (text) => published.test(text) };
  if (typeof published === "function") return { type: "string", test: published };
  if (published.type === "number")
    return { type: "number", test: published.validate as (value: number) => boolean };
  return adopt(published.validate as Published);
}

/**
 * Returns whether a text is an ECMA-262 regular expression with the `u` flag, which rejects escapes of other
 * dialects such as `\a` and `\Z`. The expression is compiled but never run.
 */
function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
