/** Spaces, members, feeds and votes (specification 2.6, 3.3, 4.1; decisions 3, 5 and 6). */
export const spaceRequirements: Readonly<Record<string, string>> = {};
