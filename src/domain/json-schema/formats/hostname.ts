import { isLabelInBidiDomain, isRightToLeft, isUnicodeLabel } from "./idna.js";
import { decodePunycode, encodePunycode } from "./punycode.js";

const LDH = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** RFC 1034, 3.1: octets of a label, and of a name as it is written. */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/** RFC 1123, 2.1, with RFC 5890 for labels that begin with `xn--`. */
export function isHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return text
    .split(".")
    .every((label) => LDH.test(label) && label.length <= MAX_LABEL && unicodeOf(label) !== undefined);
}

/** RFC 5890, 2.3.2.3: a name of LDH labels, A-labels and U-labels. */
export function isIdnHostname(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  const labels: string[] = [];
  let length = -1;
  for (const written of text.split(/[.\u3002\uff0e\uff61]/)) {
    const ascii = asciiOf(written);
    const label = ascii === undefined ? undefined : unicodeOf(ascii);
    if (ascii === undefined || label === undefined) return false;
    length += ascii.length + 1;
    labels.push(label);
  }
  return length <= MAX_NAME && (!labels.some(isRightToLeft) || labels.every(isLabelInBidiDomain));
}

/** A label as ASCII; undefined where it is none that may be written. */
function asciiOf(label: string): string | undefined {
  const isAscii = /^[\0-\x7f]*$/.test(label);
  if (!isAscii && !isUnicodeLabel(label)) return undefined;
  const ascii = isAscii ? label : `xn--${encodePunycode(label)}`;
  const isReserved = isAscii && /^..--/.test(label) && !/^xn--/i.test(label);
  return LDH.test(ascii) && ascii.length <= MAX_LABEL && !isReserved ? ascii : undefined;
}

/** What an LDH label says: itself, or what an A-label decodes to; undefined where that is no U-label (RFC 5891, 4.2). */
function unicodeOf(label: string): string | undefined {
  const lower = label.toLowerCase();
  if (!lower.startsWith("xn--")) return label;
  const decoded = decodePunycode(lower.slice(4));
  if (decoded === undefined || !isUnicodeLabel(decoded) || encodePunycode(decoded) !== lower.slice(4))
    return undefined;
  return isRightToLeft(decoded) && !isLabelInBidiDomain(decoded) ? undefined : decoded;
}
