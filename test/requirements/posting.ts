/** Wires, posting rules, threads, inbox, tombstones, knocks, contacts and blocks (specification 2, 3, 4.1; decisions 3 to 6). */
export const postingRequirements: Readonly<Record<string, string>> = {};
