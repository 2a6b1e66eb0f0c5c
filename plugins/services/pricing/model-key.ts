/** Names in price maps: compared after NFC and trim, bounded in code points, free of what nobody can see (X8). */

/** Unicode code points, not UTF-16 units (BILL-8). */
const keyCodePointsMax = 256

/** Two names with this form in common are the same name. */
export function normalKey(name: string): string {
  return name.normalize('NFC').trim()
}

/** The end of a sentence that begins with the key; undefined: the key may stand in a price map. */
export function faultOfKey(key: string): string | undefined {
  if (key.length > 2 * keyCodePointsMax || [...key].length > keyCodePointsMax) {
    return `is longer than ${keyCodePointsMax} characters`
  }
  if (invisible.test(key)) return 'holds a control or invisible character'
  return normalKey(key) === '' ? 'is empty' : undefined
}

/** A key as it can be read in a sentence: quoted, short, with what is invisible spelled out. */
export function shownKey(key: string): string {
  const head = [...key.slice(0, 120)].slice(0, 60).join('')
  const text = JSON.stringify(head).replace(everyInvisible, (found) => {
    return `\\u{${found.codePointAt(0)!.toString(16)}}`
  })
  return head.length < key.length ? `${text.slice(0, -1)}…"` : text
}

/** Control, format, surrogate and private characters, line breaks, spaces other than the plain one, ignorable ones. */
const invisibleClass =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]|(?! )\\p{Zs}'
const invisible = new RegExp(invisibleClass, 'u')
const everyInvisible = new RegExp(invisibleClass, 'gu')
