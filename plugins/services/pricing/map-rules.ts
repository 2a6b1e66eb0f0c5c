/** What holds of the text of every price option (BILL-7, BILL-8). A `Refusal` names option and key. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Decimal, type DecimalFault, decimalLimits, readDecimal } from './decimal.js'
import { entriesMax, MapTextError } from './map-reader.js'
import { faultOfKey, normalKey, shownKey } from './model-key.js'

const textBytesMax = 2 * 1024 * 1024

/** `place` is what the sentence says the number is for: a key, or a field of it. */
export function decimalIn(option: string, number: string, place: string): Decimal {
  const value = readDecimal(number)
  if (typeof value === 'string') throw refusal(option, faults[value](place))
  return value
}

const faults: Readonly<Record<DecimalFault, (place: string) => string>> = {
  'not a number': (place) => `must hold a number for ${place}`,
  negative: (place) => `must not be negative for ${place}`,
  'not finite': (place) => `must hold a finite number for ${place}`,
  'too large': (place) =>
    `must have at most ${decimalLimits.integerDigitsMax} digits before the point for ${place}`,
  'too fine': (place) =>
    `must have at most ${decimalLimits.decimalsMax} digits after the point for ${place}`,
}

/** Names of one map; refuses those that cannot be distinguished. */
export class NameRegister {
  private readonly given = new Map<string, string>()

  constructor(private readonly option: string) {}

  /** The normal form of a name not yet taken. */
  take(name: string): string {
    const fault = faultOfKey(name)
    if (fault !== undefined) throw refusal(this.option, `: the key ${shownKey(name)} ${fault}`)
    const normal = normalKey(name)
    const earlier = this.given.get(normal)
    if (earlier === undefined) {
      this.given.set(normal, name)
      return normal
    }
    if (earlier === name) throw refusal(this.option, `holds the key ${shownKey(name)} twice`)
    const pair = `${shownKey(earlier)} and ${shownKey(name)}`
    throw refusal(this.option, `: the keys ${pair} name the same`)
  }
}

export function checkSize(option: string, text: string): void {
  if (text.length <= textBytesMax && Buffer.byteLength(text) <= textBytesMax) return
  throw refusal(option, `is larger than ${textBytesMax} bytes`)
}

export function checkCount(option: string, count: number): void {
  if (count > entriesMax) throw refusal(option, `holds more than ${entriesMax} entries`)
}

export function shaped<Shape>(option: string, read: () => Shape): Shape {
  try {
    return read()
  } catch (error) {
    if (error instanceof MapTextError) throw refusal(option, error.message)
    throw error
  }
}

export function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(option, 'is not valid JSON')
  }
}

export function refusal(option: string, fault: string): Refusal {
  const reason = fault.startsWith(':') ? `${option}${fault}.` : `${option} ${fault}.`
  return new Refusal('invalid_field', { reason, param: option })
}
