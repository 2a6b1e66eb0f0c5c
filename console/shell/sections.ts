/** The sections of the menu, from what everybody uses to what few do. */
export const sections = ['use', 'account', 'operate', 'system'] as const
