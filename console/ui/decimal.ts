/**
 * Decimals as whole numbers with a scale, for prices and amounts: what somebody types as 1.1 is 1.1 on every way through
 * the console, and no float is ever rounded on the way to an amount.
 */

/** `units / 10^scale`, without zeros at the end. Never negative. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const numberText = /^(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$|^\.(\d+)$/
/** Places before or behind the point that no price and no count has. */
const scaleMax = 64

/** A JSON number, or its text as people write it too: `1.`, `.5`. Undefined: no decimal that could be a price or a count. */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const match = numberText.exec(String(value).trim())
  if (match === null) return undefined
  const [, whole = '0', fraction = '', exponent = '0', part] = match
  const digits = part ?? fraction
  const units = BigInt(whole + digits)
  const scale = digits.length - Number(exponent)
  if (units === 0n || scale >= 0) return withinScale(reduced(units, scale))
  return -scale > scaleMax ? undefined : wholeNumber(units * 10n ** BigInt(-scale))
}

function withinScale(value: Decimal): Decimal | undefined {
  return value.scale > scaleMax ? undefined : value
}

export function wholeNumber(units: bigint): Decimal {
  return { units, scale: 0 }
}

export function times(...factors: readonly Decimal[]): Decimal {
  return reduced(
    factors.reduce((product, { units }) => product * units, 1n),
    factors.reduce((sum, { scale }) => sum + scale, 0),
  )
}

export function sumOf(amounts: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...amounts.map((amount) => amount.scale))
  const units = amounts.reduce(
    (sum, amount) => sum + amount.units * 10n ** BigInt(scale - amount.scale),
    0n,
  )
  return reduced(units, scale)
}

/** Half up at so many decimals; `whole` is not 0. */
export function over(part: Decimal, whole: Decimal, decimals: number): Decimal {
  const numerator = part.units * 10n ** BigInt(whole.scale + decimals)
  const denominator = whole.units * 10n ** BigInt(part.scale)
  return reduced((numerator * 2n + denominator) / (denominator * 2n), decimals)
}

/** Half up at so many decimals. */
export function rounded(value: Decimal, decimals: number): Decimal {
  return value.scale <= decimals ? value : over(value, wholeNumber(1n), decimals)
}

/** Half up at so many significant digits; whole digits are all kept. */
export function significant(value: Decimal, digits: number): Decimal {
  const leading = String(value.units).length - value.scale
  return rounded(value, Math.max(digits - leading, 0))
}

/** Half up at so many decimals, unless that moves it across the half at which it becomes a whole number. */
export function shortened(value: Decimal, decimals: number): Decimal {
  const short = rounded(value, decimals)
  return isSame(rounded(short, 0), rounded(value, 0)) ? short : value
}

export function isZero({ units }: Decimal): boolean {
  return units === 0n
}

export function isWhole({ scale }: Decimal): boolean {
  return scale === 0
}

export function isSame(left: Decimal, right: Decimal): boolean {
  return left.units === right.units && left.scale === right.scale
}

/** Plain notation, as programs read it: `0.0000001`, `1234.5`. */
export function plainText({ units, scale }: Decimal): string {
  if (scale === 0) return String(units)
  const digits = String(units).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** For people: `1,234.5`, with at least so many decimals. */
export function groupedText(value: Decimal, decimalsMin = 0): string {
  const [whole = '', fraction = ''] = plainText(value).split('.')
  const shown = fraction.padEnd(decimalsMin, '0')
  const grouped = BigInt(whole).toLocaleString('en')
  return shown === '' ? grouped : `${grouped}.${shown}`
}

function reduced(units: bigint, scale: number): Decimal {
  if (units === 0n) return { units, scale: 0 }
  let rest = units
  let left = scale
  while (left > 0 && rest % 10n === 0n) {
    rest /= 10n
    left -= 1
  }
  return { units: rest, scale: left }
}
