/** Text of people as a page shows it: nothing in it steers the page, turns what stands around it, or hides. */

/** Lines stay lines. */
export function shownText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(unseen, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replace(/\p{Cs}/gu, replacement)
}

/** Shown for what no font holds. */
export const replacement = '\ufffd'

/** But for what joins letters, which some scripts need. */
const unseen = /(?![\u200c\u200d])[\p{Bidi_C}\p{Default_Ignorable_Code_Point}]/gu
