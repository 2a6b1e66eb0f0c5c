/**
 * How hard a password is to guess, by the guesses it would take (zxcvbn), as the gateway judges it too. The dictionaries
 * are fetched with the first password that is typed.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

export type Strength = 'none' | 'short' | 'weak' | 'fair' | 'strong'

/** As the gateway requires, in characters. */
export const passwordLengthMin = 8
const passwordLengthMax = 128
/** Bounds of the estimate, as the gateway has them. */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 10 }
const fairScore = 2
const strongScore = 4

let estimator: Promise<ZxcvbnFactory> | undefined

/** @param context what others could know: user name, mail address, name of the site */
export async function strengthOf(password: string, context: readonly string[]): Promise<Strength> {
  if (password === '') return 'none'
  if (tooShort(password)) return 'short'
  // A chunk that did not arrive is loaded again with the next character.
  estimator ??= load().catch((error: unknown) => {
    estimator = undefined
    throw error
  })
  const judged = [...password].slice(0, bounds.maxLength).join('')
  const words = context.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const { score } = (await estimator).check(
    judged,
    words.filter((word) => word.length > 2),
  )
  if (score < fairScore) return 'weak'
  return score < strongScore ? 'fair' : 'strong'
}

export function tooShort(password: string): boolean {
  return [...password].length < passwordLengthMin
}

export function tooLong(password: string): boolean {
  return [...password].length > passwordLengthMax
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ ...bounds, dictionary, graphs: adjacencyGraphs })
}
