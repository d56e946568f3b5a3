/**
 * Environment of a process whose clock goes wrong by so many milliseconds: ahead, or behind where negative. Durations go
 * by another clock, as they do where a machine's clock was set wrong.
 */
export function clockOff(milliseconds: number): Record<string, string> {
  const script = `
    const real = Date.now;
    Date.now = () => real() + ${milliseconds};
    const construct = (target, given, made) => Reflect.construct(target, given.length ? given : [target.now()], made);
    globalThis.Date = new Proxy(Date, { construct });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}
