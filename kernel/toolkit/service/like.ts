/** What people type into a search, as a pattern of LIKE: every sign stands for itself (P13). */

/** Matches what holds the text anywhere. */
export function containing(text: string): string {
  return `%${literal(text)}%`
}

/** The text without any meaning of its own, for patterns that are put together. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
