/** Decimals as whole numbers with a scale: what somebody types as 1.1 is 1.1 on every way through the editor. */

/** `units / 10^scale`, without zeros at the end. Never negative. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const numberText = /^(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$|^\.(\d+)$/
/** As the gateway counts. */
const integerDigitsMax = 12
const decimalsMax = 24

/** Undefined: no figure the gateway would take. */
export function readDecimal(text: string): Decimal | undefined {
  const match = numberText.exec(text.trim())
  if (match === null) return undefined
  const [, whole = '0', fraction = '', exponent = '0', part] = match
  const digits = part ?? fraction
  const scale = digits.length - Number(exponent)
  const units = BigInt(whole + digits)
  const value =
    scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : reduced(units, scale)
  const wholeDigits = String(value.units).length - value.scale
  return wholeDigits > integerDigitsMax || value.scale > decimalsMax ? undefined : value
}

/** For figures written in this program, and those that came from the gateway. */
export function decimal(text: string | number): Decimal {
  const read = readDecimal(String(text))
  if (read === undefined) throw new RangeError(`${text} is no figure`)
  return read
}

/** Plain notation: `0.0000001`. */
export function decimalText({ units, scale }: Decimal): string {
  if (scale === 0) return String(units)
  const digits = String(units).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

export function times(...factors: readonly Decimal[]): Decimal {
  const units = factors.reduce((product, factor) => product * factor.units, 1n)
  return reduced(
    units,
    factors.reduce((sum, { scale }) => sum + scale, 0),
  )
}

/** Half up at so many decimals; `whole` is not 0. */
export function over(part: Decimal, whole: Decimal, decimals: number): Decimal {
  const numerator = part.units * 10n ** BigInt(whole.scale + decimals)
  const denominator = whole.units * 10n ** BigInt(part.scale)
  return reduced((numerator * 2n + denominator) / (denominator * 2n), decimals)
}

export function rounded(value: Decimal, decimals: number): Decimal {
  return value.scale <= decimals ? value : over(value, { units: 1n, scale: 0 }, decimals)
}

export function isZero({ units }: Decimal): boolean {
  return units === 0n
}

export function isSame(left: Decimal, right: Decimal): boolean {
  return left.units === right.units && left.scale === right.scale
}

/** The gateway reads figures as JSON numbers: one with more digits than those keep is no exact figure any more. */
export function isExactNumber(value: Decimal): boolean {
  const kept = readDecimal(String(Number(decimalText(value))))
  return kept !== undefined && isSame(kept, value)
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

/** A number without an exponent, as people write it: `1e-7` is 0.0000001. */
export function plainNumber(value: number): string {
  const text = String(value)
  const read = text.includes('e') ? readDecimal(text) : undefined
  return read === undefined ? text : decimalText(read)
}
