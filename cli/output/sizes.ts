const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A number of bytes for people: `512 bytes`, `3.4 MiB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}
