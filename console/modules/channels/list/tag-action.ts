/** What the menu of a tag offers. */
export type TagAction = 'enable' | 'disable' | 'change' | 'alone'
