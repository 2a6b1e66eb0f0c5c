/** Names in a channel: models and groups, as a list or as the family's comma-separated text. */

/** At most 256 code points without control or invisible characters, in composed form (X8). */
export function modelName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '') throw new Error('holds an empty name')
  if ([...name].length > 256) throw new Error('holds a name of more than 256 characters')
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(name)) {
    throw new Error('holds a name with characters that cannot be seen')
  }
  return name
}

/** Each name once, in order; at least one. */
export function names(value: unknown): readonly string[] {
  if (typeof value === 'string' && value.length > textCharactersMax) {
    throw new Error(`has more than ${textCharactersMax} characters`)
  }
  const items = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(items)) throw new Error('must be a list or comma-separated text')
  if (items.length > namesMax) throw new Error(`has more than ${namesMax} names`)
  const written = items.map((item: unknown) => {
    if (typeof item !== 'string') throw new Error('holds something that is no name')
    return item.trim()
  })
  const once = [...new Set(written.filter((name) => name !== '').map(modelName))]
  if (once.some((name) => name.includes(','))) throw new Error('holds a name with a comma')
  if (once.length === 0) throw new Error('must name at least one')
  return once
}

const namesMax = 5_000
/** Of all names in one text. */
const textCharactersMax = 524_288
