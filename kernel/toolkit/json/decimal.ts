/**
 * Amounts of money as decimal text: read from answers nobody vouches for, added and moved without ever passing through a
 * binary fraction.
 */
import { isObject, type JsonObject } from '../../contract/json.js'

/** Digits before and after the point; what is longer is no amount of money. */
const wholeDigitsMax = 15
const fractionDigitsMax = 18

/**
 * The JSON object in a text with every number as the text it is written in, so that no digit is lost. Undefined: there
 * is none. For small answers; each character is looked at twice.
 */
export function amountsIn(text: string): JsonObject | undefined {
  try {
    JSON.parse(text)
    const value: unknown = JSON.parse(text.replace(strings, quoted))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** In valid JSON, whatever is no string and begins with a digit or a sign is a number. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

function quoted(found: string): string {
  return found.startsWith('"') ? found : `"${found}"`
}

const written = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/

/** A decimal text in its plain form: no exponent, no needless zeros before or behind. Undefined: it is none, or absurd. */
export function decimalOf(value: unknown): string | undefined {
  const found = typeof value === 'string' ? written.exec(value.trim()) : null
  if (found === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found
  return placed(sign === '-', whole + fraction, fraction.length - Number(exponent))
}

/** The same, but never less than nothing. */
export function amountOf(value: unknown): string | undefined {
  const decimal = decimalOf(value)
  return decimal === undefined || decimal.startsWith('-') ? undefined : decimal
}

/** Both must be plain decimals. Undefined: the sum is absurd. */
export function sumOf(one: string, other: string): string | undefined {
  const places = Math.max(fractionOf(one), fractionOf(other))
  const units = unitsOf(one, places) + unitsOf(other, places)
  const digits = units < 0n ? -units : units
  return placed(units < 0n, digits.toString(), places)
}

export function negated(decimal: string): string {
  if (decimal === '0') return decimal
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`
}

/** A plain decimal divided by ten, that many times. Undefined: it is absurd then. */
export function movedDown(decimal: string, places: number): string | undefined {
  return decimalOf(`${decimal}e-${places}`)
}

/** Digits with the point so many places from their end. */
function placed(negative: boolean, digits: string, places: number): string | undefined {
  const padded = places < 0 ? digits + '0'.repeat(-places) : digits.padStart(places + 1, '0')
  const point = padded.length - Math.max(places, 0)
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '')
  const fraction = padded.slice(point).replace(/0+$/, '')
  if (whole.length > wholeDigitsMax || fraction.length > fractionDigitsMax) return undefined
  const plain = fraction === '' ? whole : `${whole}.${fraction}`
  return negative && plain !== '0' ? `-${plain}` : plain
}

function fractionOf(decimal: string): number {
  const point = decimal.indexOf('.')
  return point === -1 ? 0 : decimal.length - point - 1
}

function unitsOf(decimal: string, places: number): bigint {
  return BigInt(decimal.replace('.', '') + '0'.repeat(places - fractionOf(decimal)))
}
