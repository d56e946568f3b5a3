import { isIpv4, isIpv6 } from "./address.js";
import { isIdnHostname } from "./hostname.js";

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]";
const LOCAL = new RegExp(`^${ATOM}+(?:\\.${ATOM}+)*$`, "i");
const LOCAL_IDN = new RegExp(`^(?:${ATOM}|[^\\x00-\\x9f])+(?:\\.(?:${ATOM}|[^\\x00-\\x9f])+)*$`, "iu");
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const QUOTED_IDN = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|[^\0-\x9f]|\\[\x20-\x7e])*"$/u;
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/**
 * Returns whether a text is a `Mailbox` of RFC 5321, section 4.1.2, or of RFC 6531 if `international` is
 * true.
 */
export function isEmail(text: string, international: boolean): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1) return false;
  const isLocal = international
    ? LOCAL_IDN.test(local) || QUOTED_IDN.test(local)
    : LOCAL.test(local) || QUOTED.test(local);
  if (!isLocal) return false;
  if (domain.startsWith("[")) return isAddressLiteral(domain);
  // RFC 6531 does not require normalised addresses. A lookup normalises the domain (RFC 5891, section 5.2),
  // so this check does the same.
  return international ? isIdnHostname(domain.normalize("NFC")) : DOMAIN.test(domain);
}

function isAddressLiteral(domain: string): boolean {
  if (!domain.endsWith("]")) return false;
  const inside = domain.slice(1, -1);
  return /^IPv6:/i.test(inside) ? isIpv6(inside.slice(5)) : isIpv4(inside);
}
