/**
 * The automaton behind the token estimate: classes of characters, what they cost where, and the tables both make.
 * Words, digits, punctuation and white space are cut as byte-pair tokenizers cut them before they merge.
 */

const classNames = [
  'none',
  'lower',
  'upper',
  'digit',
  'space',
  'newline',
  'punctuation',
  'han',
  'commonHan',
  'widePunctuation',
  'kana',
  'hangul',
  'accented',
  'cyrillic',
  'greek',
  'rightToLeft',
  'brahmic',
  'symbol',
  'astral',
] as const

type ClassName = (typeof classNames)[number]

export const classCount = classNames.length

/** Hundredths of a token, fitted to o200k on prose, documentation, source code and several scripts. */
const costs = {
  /** A word after a space, after punctuation, or after anything else; more letters; letters from the twelfth on. */
  wordAfterSpace: 77,
  wordAfterPunctuation: 67,
  wordElse: 95,
  letter: 8,
  lateLetter: 26,
  camelHump: 90,
  nextCapital: 22,
  /** A small letter behind several capitals. */
  smallAfterCapitals: 20,
  /** Digits go in groups of three; a space in front of them stands alone. */
  digits: 140,
  digitsAfterSpace: 176,
  indent: 64,
  newline: 78,
  newlineAfterPunctuation: 9,
  punctuation: 78,
  punctuationAfterSpace: 88,
  morePunctuation: 19,
  symbol: 123,
  moreSymbols: 61,
} as const

/** Scripts whose characters cost the same wherever they stand. */
const flatCosts: Readonly<Partial<Record<ClassName, number>>> = {
  han: 58,
  commonHan: 135,
  widePunctuation: 105,
  kana: 69,
  hangul: 71,
  cyrillic: 27,
  greek: 42,
  rightToLeft: 36,
  brahmic: 39,
  astral: 147,
}

/** Function words of Chinese: nearly always a token of their own, where other characters go in pairs. */
const commonHan = '的了是不我在她他就都也着把有这那个一上你们和说這個們說'

const ranges: readonly (readonly [first: number, last: number, name: ClassName])[] = [
  [0x00, 0x08, 'symbol'],
  [0x09, 0x09, 'space'],
  [0x0a, 0x0d, 'newline'],
  [0x0e, 0x1f, 'symbol'],
  [0x20, 0x20, 'space'],
  [0x21, 0x2f, 'punctuation'],
  [0x30, 0x39, 'digit'],
  [0x3a, 0x40, 'punctuation'],
  [0x41, 0x5a, 'upper'],
  [0x5b, 0x60, 'punctuation'],
  [0x61, 0x7a, 'lower'],
  [0x7b, 0x7f, 'punctuation'],
  [0x80, 0xbf, 'symbol'],
  [0xc0, 0x36f, 'accented'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x58f, 'cyrillic'],
  [0x590, 0x8ff, 'rightToLeft'],
  [0x900, 0x10ff, 'brahmic'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1200, 0x1dff, 'brahmic'],
  [0x1e00, 0x1eff, 'accented'],
  [0x1f00, 0x1fff, 'greek'],
  [0x2000, 0x2fff, 'symbol'],
  [0x3000, 0x303f, 'widePunctuation'],
  [0x3040, 0x33ff, 'kana'],
  [0x3400, 0x9fff, 'han'],
  [0xa000, 0xabff, 'brahmic'],
  [0xac00, 0xd7ff, 'hangul'],
  [0xd800, 0xdbff, 'astral'],
  [0xdc00, 0xdfff, 'none'],
  [0xe000, 0xf8ff, 'symbol'],
  [0xf900, 0xfaff, 'han'],
  [0xfb00, 0xfeff, 'rightToLeft'],
  [0xff00, 0xffef, 'widePunctuation'],
  [0xfff0, 0xffff, 'symbol'],
]

/** Class of each UTF-16 code unit. */
export const classOf: Uint8Array = classTable()

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const [first, last, name] of ranges) table.fill(classNames.indexOf(name), first, last + 1)
  for (const character of commonHan) {
    table[character.charCodeAt(0)] = classNames.indexOf('commonHan')
  }
  return table
}

/** What was read last; from `firstLetter` on: within a word, at this letter, up to `wordStates` of them. */
export const startState = 0
const oneSpace = 1
const moreSpaces = 2
const afterNewline = 3
const inPunctuation = 4
const firstCapital = 5
const moreCapitals = 6
const firstDigit = 7
const secondDigit = 8
const thirdDigit = 9
const inSymbols = 10
const firstLetter = 11
const wordStates = 11
const lastLetter = firstLetter + wordStates - 1
const stateCount = lastLetter + 1

/** Cells by `state * classCount + class`; each holds `hundredths << 8 | state behind it`. */
export const byClass: Uint32Array = cellTable()
/** The same for ASCII, by `state << 7 | code`: one look per character of the common case. */
export const byAscii: Uint32Array = asciiTable()

function cellTable(): Uint32Array {
  const table = new Uint32Array(stateCount * classCount)
  for (let state = 0; state < stateCount; state += 1) {
    classNames.forEach((name, index) => {
      const [hundredths, follows] = step(state, name)
      table[state * classCount + index] = (hundredths << 8) | follows
    })
  }
  return table
}

function asciiTable(): Uint32Array {
  const table = new Uint32Array(stateCount << 7)
  for (let at = 0; at < table.length; at += 1) {
    table[at] = byClass[(at >> 7) * classCount + classOf[at & 0x7f]!]!
  }
  return table
}

type Step = readonly [hundredths: number, follows: number]

function step(state: number, name: ClassName): Step {
  switch (name) {
    case 'none':
      return [0, state]
    case 'lower':
      return lowerStep(state)
    case 'accented':
      return [60, state >= firstLetter ? state : firstLetter + 1]
    case 'upper':
      return upperStep(state)
    case 'digit':
      return digitStep(state)
    case 'space':
      return spaceStep(state)
    case 'newline':
      return newlineStep(state)
    case 'punctuation':
      return punctuationStep(state)
    case 'symbol':
      return [state === inSymbols ? costs.moreSymbols : costs.symbol, inSymbols]
    default:
      return [flatCosts[name] ?? 0, startState]
  }
}

function lowerStep(state: number): Step {
  if (state === lastLetter) return [costs.lateLetter, lastLetter]
  if (state >= firstLetter) return [costs.letter, state + 1]
  if (state === firstCapital) return [costs.letter, firstLetter + 1]
  if (state === moreCapitals) return [costs.smallAfterCapitals, firstLetter + 2]
  return [wordStart(state), firstLetter]
}

function upperStep(state: number): Step {
  if (state >= firstLetter) return [costs.camelHump, firstCapital]
  if (state === firstCapital || state === moreCapitals) return [costs.nextCapital, moreCapitals]
  return [wordStart(state), firstCapital]
}

function wordStart(state: number): number {
  if (state === oneSpace || state === moreSpaces) return costs.wordAfterSpace
  return state === inPunctuation ? costs.wordAfterPunctuation : costs.wordElse
}

function digitStep(state: number): Step {
  if (state === firstDigit) return [0, secondDigit]
  if (state === secondDigit) return [0, thirdDigit]
  const spaced = state === oneSpace || state === moreSpaces
  return [spaced ? costs.digitsAfterSpace : costs.digits, firstDigit]
}

function spaceStep(state: number): Step {
  if (state === oneSpace) return [costs.indent, moreSpaces]
  return [0, state === moreSpaces ? moreSpaces : oneSpace]
}

function newlineStep(state: number): Step {
  if (state === afterNewline) return [0, afterNewline]
  const joined = state === inPunctuation
  return [joined ? costs.newlineAfterPunctuation : costs.newline, afterNewline]
}

function punctuationStep(state: number): Step {
  if (state === inPunctuation) return [costs.morePunctuation, inPunctuation]
  const spaced = state === oneSpace || state === moreSpaces
  return [spaced ? costs.punctuationAfterSpace : costs.punctuation, inPunctuation]
}
