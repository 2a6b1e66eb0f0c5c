/** Ranks of accounts: each may do what those below it may. */
export const roles = { common: 1, admin: 10, root: 100 } as const
