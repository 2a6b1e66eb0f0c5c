/**
 * What a new password must withstand: by the guesses it would take (zxcvbn), and by what others could know of its owner.
 * The dictionaries hold the 49,000 passwords found most often in breaches and 7,776 diceware words, so that no composition
 * rules are needed (NIST SP 800-63B 3.1.1.2; OWASP ASVS 5.0 6.2.4 and 6.2.11).
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

/** zxcvbn's scale from 0 to 4. Below 2, fewer than a million guesses are enough. */
const scoreMin = 2
/** Estimating takes longer than in proportion to the length: what the first characters withstand, the whole does. */
const judgedMax = 64
/** Readings of digits and signs as letters that are tried. Each costs a whole estimate. */
const readingsMax = 10
const contextLengthMin = 3
/** What a password that names its owner has to hold besides, punctuation aside. */
const ownLettersMin = 6

/** Loaded when the first password is chosen: most processes never need the dictionaries. */
let estimator: Promise<ZxcvbnFactory> | undefined

/**
 * Throws `invalid_field` for `password` unless it takes at least a million guesses.
 * @param context what others could know: user name, display name, mail address, name of the site
 */
export async function requireStrong(password: string, context: readonly string[]): Promise<void> {
  const words = context.flatMap(wordsOf)
  if (isMostlyKnown(password, words)) throw weak(ownWords)
  estimator ??= loadEstimator()
  const { score } = (await estimator).check(cut(password), words)
  if (score < scoreMin) throw weak(easyToGuess)
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const bounds = { maxLength: judgedMax, l33tMaxSubstitutions: readingsMax }
  return new ZxcvbnFactory({ ...bounds, dictionary, graphs: adjacencyGraphs })
}

/** A mail address is known by its parts as well: `ann.lee@example.com` holds `ann`, `lee` and `example`. */
function wordsOf(text: string): string[] {
  const whole = text.toLowerCase()
  const parts = whole.split(/[^\p{L}\p{N}]+/u)
  return [...new Set([whole, ...parts])].filter((word) => word.length >= contextLengthMin)
}

/** Whether it names its owner or the site, and a year or so is all there is besides. */
function isMostlyKnown(password: string, words: readonly string[]): boolean {
  const longestFirst = [...words].sort((one, other) => other.length - one.length)
  const whole = password.toLowerCase()
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), whole)
  const own = [...rest].filter((letter) => !/[\s\p{P}]/u.test(letter))
  return rest !== whole && own.length < ownLettersMin
}

/** By whole characters, so that no half of one is left at the end. */
function cut(password: string): string {
  return [...password].slice(0, judgedMax).join('')
}

const ownWords =
  'This password holds little more than your name or that of this site. Choose one that nobody who knows you could guess.'
const easyToGuess =
  'This password is easy to guess, or among those found in breaches. Choose a longer one; a few unrelated words do well.'

function weak(reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param: 'password' })
}
