/** Human accounts, handles, keys and authentication (specification 4.2 and 5; decisions 1, 9 and 10). */
export const accountRequirements: Readonly<Record<string, string>> = {};
