/** The parameters of RFC 3492, section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

const threshold = (k: number, bias: number) => Math.min(Math.max(k - bias, T_MIN), T_MAX);

/** RFC 3492, section 6.2, for a label without its `xn--`; undefined where it is none. Meant for labels, so at most 63 long. */
export function decodePunycode(text: string): string | undefined {
  const end = text.lastIndexOf("-");
  const output = [...text.slice(0, Math.max(end, 0))].map((char) => char.codePointAt(0)!);
  const digits = end < 0 ? text : text.slice(end + 1);
  let [n, i, bias, at] = [INITIAL_N, 0, INITIAL_BIAS, 0];
  while (at < digits.length) {
    const before = i;
    for (let k = BASE, weight = 1; ; k += BASE) {
      const digit = DIGITS.indexOf(digits[at++] ?? "?");
      if (digit < 0) return undefined;
      i += digit * weight;
      if (digit < threshold(k, bias)) break;
      weight *= BASE - threshold(k, bias);
      if (weight > Number.MAX_SAFE_INTEGER / BASE) return undefined;
    }
    bias = adapt(i - before, output.length + 1, before === 0);
    n += Math.floor(i / (output.length + 1));
    i %= output.length + 1;
    if (n > 0x10ffff) return undefined;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

/** RFC 3492, section 6.3, without the `xn--`. */
export function encodePunycode(text: string): string {
  const input = [...text].map((char) => char.codePointAt(0)!);
  const basic = input.filter((point) => point < INITIAL_N);
  let output = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : "";
  let [n, delta, bias, handled] = [INITIAL_N, 0, INITIAL_BIAS, basic.length];
  while (handled < input.length) {
    const next = Math.min(...input.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of input) {
      if (point < n) delta++;
      if (point !== n) continue;
      output += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return output;
}

function encodeDelta(delta: number, bias: number): string {
  let output = "";
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return output + DIGITS[rest];
    output += DIGITS[t + ((rest - t) % (BASE - t))];
    rest = Math.floor((rest - t) / (BASE - t));
  }
}
