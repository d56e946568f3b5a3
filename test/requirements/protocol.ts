/** Requests, errors, limits and the running daemon (specification 4, 7, 8, 9; decisions 2, 4, 11, 12). */
export const protocolRequirements: Readonly<Record<string, string>> = {};
