/** Schemas, compatibility, validation, switchboard and search (specification 4.1; decisions 5 and 7). */
export const operationRequirements: Readonly<Record<string, string>> = {};
