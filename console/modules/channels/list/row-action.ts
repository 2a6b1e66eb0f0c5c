/** What the menu of a row offers. */
export type RowAction = 'edit' | 'copy' | 'test' | 'updates' | 'balance' | 'reset' | 'remove'
