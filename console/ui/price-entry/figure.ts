/** Figures of prices and ratios, within what the gateway takes. */
import { type Decimal, isSame, plainText, readDecimal } from '../decimal.js'

/** As the gateway counts. */
const integerDigitsMax = 12
const decimalsMax = 24

/** Undefined: no figure the gateway would take. */
export function readFigure(text: string): Decimal | undefined {
  const value = readDecimal(text)
  if (value === undefined || value.scale > decimalsMax) return undefined
  return String(value.units).length - value.scale > integerDigitsMax ? undefined : value
}

/** For figures written in this program, and those that came from the gateway. */
export function knownFigure(text: string | number): Decimal {
  const read = readFigure(String(text))
  if (read === undefined) throw new RangeError(`${text} is no figure`)
  return read
}

/** The gateway reads figures as JSON numbers: one with more digits than those keep is no exact figure any more. */
export function isExactNumber(value: Decimal): boolean {
  const kept = readFigure(String(Number(plainText(value))))
  return kept !== undefined && isSame(kept, value)
}

/** A number without an exponent, as people write it: `1e-7` is 0.0000001. */
export function plainNumber(value: number): string {
  const text = String(value)
  const read = text.includes('e') ? readFigure(text) : undefined
  return read === undefined ? text : plainText(read)
}
