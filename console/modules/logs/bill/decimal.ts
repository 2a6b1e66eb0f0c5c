/** Decimals of prices, exact: a price has few digits, and no float is ever rounded on the way to an amount. */

/** `units / 10^scale`. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const numberText = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const scaleMax = 64

/** A JSON number, or its text. Undefined: no decimal that could be a price or a count. */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const match = numberText.exec(String(value))
  if (match === null) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > scaleMax) return undefined
  const units = BigInt(whole + fraction)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

export function times(...factors: readonly Decimal[]): Decimal {
  return factors.reduce(
    (product, { units, scale }) => ({
      units: product.units * units,
      scale: product.scale + scale,
    }),
    { units: 1n, scale: 0 },
  )
}

export function sumOf(amounts: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...amounts.map((amount) => amount.scale))
  const units = amounts.reduce(
    (sum, amount) => sum + amount.units * 10n ** BigInt(scale - amount.scale),
    0n,
  )
  return { units, scale }
}

export function roundHalfUp({ units, scale }: Decimal): bigint {
  const denominator = 10n ** BigInt(scale)
  return (units * 2n + denominator) / (denominator * 2n)
}

export function isWhole({ units, scale }: Decimal): boolean {
  return units % 10n ** BigInt(scale) === 0n
}

/** `1,234.5`: every digit there is, and no trailing zeros. */
export function decimalText({ units, scale }: Decimal, digitsLeast = 0): string {
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = BigInt(digits.slice(0, digits.length - scale)).toLocaleString('en')
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const shown = fraction.padEnd(digitsLeast, '0')
  return shown === '' ? whole : `${whole}.${shown}`
}
