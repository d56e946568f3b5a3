import { toASCII, toUnicode } from "tr46";
import { hasValidCodePoints } from "./idna.js";

const LDH = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** Maximum length of a label and of a whole name in octets (RFC 1034, section 3.1). */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/**
 * Enables the UTS 46 checks that RFC 5891, section 4.2 requires: hyphens, text direction, joiners and
 * lengths.
 */
const STRICT = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
};

/**
 * Returns whether a text is a host name (RFC 1123, section 2.1). Labels that start with `xn--` must be valid
 * under RFC 5890.
 */
export function isHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return text
    .split(".")
    .every(
      (label) =>
        LDH.test(label) && label.length <= MAX_LABEL && (!/^xn--/i.test(label) || isIdnHostname(label)),
    );
}

/**
 * Returns whether a text is an internationalised host name. A label may be ASCII, Punycode (`xn--…`) or
 * Unicode (RFC 5890, section 2.3.2.3).
 */
export function isIdnHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  const written = text.split(/[.\u3002\uff0e\uff61]/);
  const ascii = toASCII(written.join("."), STRICT)?.split(".");
  if (ascii?.length !== written.length) return false;
  const unicode = toUnicode(ascii.join("."), STRICT).domain.split(".");
  return written.every((label, i) => isLabel(label, ascii[i]!, unicode[i]!));
}

/** Returns whether a label has only valid characters, and the UTS 46 mapping leaves it unchanged. */
function isLabel(written: string, ascii: string, unicode: string): boolean {
  const isMapped = /^[\0-\x7f]*$/.test(written) ? written.toLowerCase() !== ascii : written !== unicode;
  return !isMapped && LDH.test(ascii) && (ascii === unicode || hasValidCodePoints(unicode));
}
