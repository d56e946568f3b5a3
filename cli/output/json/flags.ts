/** The values of `--json` and `--jq`. */
export interface JsonFlags {
  /** True for `--json`, field names for `--json=id,uri`, undefined without the option. */
  json?: true | readonly string[] | undefined;
  /** The expression of `--jq`, which implies `--json`. */
  jq?: string | undefined;
}

export function wantsJson({ json, jq }: JsonFlags): boolean {
  return json !== undefined || jq !== undefined;
}
