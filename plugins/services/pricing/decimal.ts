/**
 * Decimals as scaled integers, and the only two ways an amount becomes whole quota: half up for charges, up for holds
 * (ledger/README.md section 1, M19). No float is ever rounded here.
 */

/** `units / 10^scale`: 0.15 is 15 / 10^2. Never negative. What is read or multiplied has no trailing zeros. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

/** Why a number text is no decimal this gateway counts with. */
export type DecimalFault = 'not a number' | 'negative' | 'not finite' | 'too large' | 'too fine'

/** Most digits before the point, and after it. Doubles written out in full still fit. */
export const decimalLimits = { integerDigitsMax: 12, decimalsMax: 24, textCharsMax: 64 } as const

export const zero: Decimal = { units: 0n, scale: 0 }
export const one: Decimal = { units: 1n, scale: 0 }

const numberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Reads the source text of a JSON number, or the same in a string: `0.15`, `1e-7`, `37.5`. Exact. */
export function readDecimal(text: string): Decimal | DecimalFault {
  if (text.length > decimalLimits.textCharsMax) return faultOfLong(text)
  const match = numberText.exec(text)
  if (match === null) return 'not a number'
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = trimZeros(whole + fraction)
  if (digits.text === '') return zero
  if (sign === '-') return 'negative'
  if (!Number.isFinite(Number(text))) return 'not finite'
  const scale = fraction.length - Number(exponent) - digits.trailing
  if (digits.text.length - scale > decimalLimits.integerDigitsMax) return 'too large'
  if (scale > decimalLimits.decimalsMax) return 'too fine'
  return scale < 0
    ? { units: BigInt(digits.text) * power(-scale), scale: 0 }
    : { units: BigInt(digits.text), scale }
}

/** For decimals written in this program. Throws a RangeError on anything `readDecimal` refuses. */
export function decimal(text: string): Decimal {
  const read = readDecimal(text)
  if (typeof read === 'string') throw new RangeError(`${text} is ${read}`)
  return read
}

export function times(left: Decimal, right: Decimal): Decimal {
  return reduced(left.units * right.units, left.scale + right.scale)
}

/** Exact, at the finest scale among them. */
export function sumOf(amounts: readonly Decimal[]): Decimal {
  let scale = 0
  for (const amount of amounts) if (amount.scale > scale) scale = amount.scale
  let units = 0n
  for (const amount of amounts) units += unitsAt(amount, scale)
  return { units, scale }
}

export function isSame(left: Decimal, right: Decimal): boolean {
  const scale = Math.max(left.scale, right.scale)
  return unitsAt(left, scale) === unitsAt(right, scale)
}

export function larger(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return unitsAt(left, scale) < unitsAt(right, scale) ? right : left
}

/** The least multiple of a step above 0 that is no smaller than the value. */
export function upToMultiple(value: Decimal, step: Decimal): Decimal {
  const scale = Math.max(value.scale, step.scale)
  const each = unitsAt(step, scale)
  const count = (unitsAt(value, scale) + each - 1n) / each
  return reduced(count * each, scale)
}

/** The one division that rounds: a ratio of two published prices, half up at `decimals`. */
export function ratioOf(part: Decimal, whole: Decimal, decimals: number): Decimal {
  const numerator = part.units * power(whole.scale + decimals)
  const denominator = whole.units * power(part.scale)
  return reduced((numerator * 2n + denominator) / (denominator * 2n), decimals)
}

/** Units at a scale not smaller than the decimal's own. */
export function unitsAt(value: Decimal, scale: number): bigint {
  return scale === value.scale ? value.units : value.units * power(scale - value.scale)
}

export function roundHalfUp(units: bigint, scale: number): bigint {
  const denominator = power(scale)
  return (units * 2n + denominator) / (denominator * 2n)
}

export function roundUp(units: bigint, scale: number): bigint {
  const denominator = power(scale)
  return (units + denominator - 1n) / denominator
}

/** Plain notation without exponent: `0.0000001`. */
export function decimalText({ units, scale }: Decimal): string {
  return pointed(units.toString(), scale)
}

/** Sets the point `scale` digits from the right and drops trailing zeros. */
function pointed(digits: string, scale: number): string {
  if (scale === 0) return digits
  const padded = digits.padStart(scale + 1, '0')
  const point = padded.length - scale
  let end = padded.length
  while (end > point && padded.charCodeAt(end - 1) === 48) end -= 1
  return end === point
    ? padded.slice(0, point)
    : `${padded.slice(0, point)}.${padded.slice(point, end)}`
}

const powers: readonly bigint[] = Array.from(
  { length: 400 },
  (_, exponent) => 10n ** BigInt(exponent),
)

/** 10^exponent. */
function power(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}

/** Text beyond the cap is judged without building its number. */
function faultOfLong(text: string): DecimalFault {
  const value = Number(text)
  if (Number.isNaN(value)) return 'not a number'
  if (value < 0) return 'negative'
  if (!Number.isFinite(value)) return 'not finite'
  return value >= 1e12 ? 'too large' : 'too fine'
}

function trimZeros(digits: string): { readonly text: string; readonly trailing: number } {
  let start = 0
  let end = digits.length
  while (start < end && digits.charCodeAt(start) === 48) start += 1
  while (end > start && digits.charCodeAt(end - 1) === 48) end -= 1
  return { text: digits.slice(start, end), trailing: digits.length - end }
}

function reduced(units: bigint, scale: number): Decimal {
  if (units === 0n) return zero
  let rest = units
  let left = scale
  while (left > 0 && rest % 10n === 0n) {
    rest /= 10n
    left -= 1
  }
  return { units: rest, scale: left }
}
