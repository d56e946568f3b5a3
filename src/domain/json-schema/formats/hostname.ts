import { toASCII, toUnicode } from "tr46";
import { hasValidCodePoints } from "./idna.js";

const LDH = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** RFC 1034, 3.1: octets of a label, and of a name as it is written. */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/** All checks of UTS 46 that RFC 5891, 4.2 asks for as well: hyphens, Bidi, joiners and lengths. */
const STRICT = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
};

/** RFC 1123, 2.1, with RFC 5890 for labels that begin with `xn--`. */
export function isHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return text
    .split(".")
    .every(
      (label) =>
        LDH.test(label) && label.length <= MAX_LABEL && (!/^xn--/i.test(label) || isIdnHostname(label)),
    );
}

/** RFC 5890, 2.3.2.3: a name of LDH labels, A-labels and U-labels. */
export function isIdnHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  const written = text.split(/[.\u3002\uff0e\uff61]/);
  const ascii = toASCII(written.join("."), STRICT)?.split(".");
  if (ascii?.length !== written.length) return false;
  const unicode = toUnicode(ascii.join("."), STRICT).domain.split(".");
  return written.every((label, i) => isLabel(label, ascii[i]!, unicode[i]!));
}

/** Whether a label has valid characters, and is already in the form that UTS 46 would map it to. */
function isLabel(written: string, ascii: string, unicode: string): boolean {
  const isMapped = /^[\0-\x7f]*$/.test(written) ? written.toLowerCase() !== ascii : written !== unicode;
  return !isMapped && LDH.test(ascii) && (ascii === unicode || hasValidCodePoints(unicode));
}
