/** What may be shown of an error of a sign-in: its sentence, the provider's code of it and the claim at fault; no values. */
import { isObject } from '../../../kernel/contract/json.js'

const causesMax = 3

/** Without cause: there stand answers and claims, tokens among them. */
export function plainError(error: unknown): Error {
  const message = error instanceof Error ? error.message : 'unknown'
  const about = [wordAt(error, 'error'), wordAt(error, 'claim')].filter(Boolean).join(', ')
  return new Error(about === '' ? message : `${message} (${about})`)
}

/** A word of this name, of the error or of what caused it. */
function wordAt(error: unknown, name: string): string {
  let at = error
  for (let depth = 0; depth <= causesMax && isObject(at); depth += 1) {
    const word = at[name]
    if (typeof word === 'string' && /^[a-z_]{1,64}$/.test(word)) return word
    at = at.cause
  }
  return ''
}
