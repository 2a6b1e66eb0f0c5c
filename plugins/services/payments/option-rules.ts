/** The options of prices hold numbers that mean something, or they are not stored. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { parsedText } from '../../../kernel/toolkit/json/index.js'
import type { Options } from '../options/index.js'

const entriesMax = 200

export function ruleOptions(options: Pick<Options, 'check'>): void {
  options.check('TopupGroupRatio', (text) => {
    for (const [group, ratio] of entriesOf('TopupGroupRatio', text)) {
      if (!isBetween(ratio, 0, 1000))
        fail('TopupGroupRatio', `needs a ratio up to 1000 for "${group}"`)
    }
  })
  options.check('payment_setting.amount_discount', (text) => {
    const key = 'payment_setting.amount_discount'
    for (const [amount, factor] of byAmount(key, text)) {
      if (!isBetween(factor, 0, 1)) fail(key, `needs a factor above 0 and up to 1 for ${amount}`)
    }
  })
  options.check('payment_setting.amount_bonus', (text) => {
    const key = 'payment_setting.amount_bonus'
    for (const [amount, units] of byAmount(key, text)) {
      if (!isBetween(units, 0, 1_000_000)) fail(key, `needs units above 0 for ${amount}`)
    }
  })
  options.check('payment_setting.amount_options', (text) => {
    const key = 'payment_setting.amount_options'
    const amounts = parsedText(text)
    if (!Array.isArray(amounts) || amounts.length > entriesMax)
      fail(key, 'must be a list of amounts')
    if (!amounts.every((one) => isBetween(one, 0, 1_000_000) && Number.isInteger(one))) {
      fail(key, 'must hold whole amounts above 0')
    }
  })
  options.check('CustomCallbackAddress', (text) => {
    const isAddress = URL.canParse(text) && /^https?:\/\//i.test(text) && !/[?#]/.test(text)
    if (text.trim() !== '' && !isAddress) {
      fail('CustomCallbackAddress', 'must be an address without a query, as https://gate.example')
    }
  })
}

function entriesOf(key: string, text: string): [string, Json | undefined][] {
  const value = parsedText(text)
  if (!isObject(value)) fail(key, 'must be an object')
  const entries = Object.entries(value)
  if (entries.length > entriesMax) fail(key, `must have at most ${entriesMax} entries`)
  return entries
}

function byAmount(key: string, text: string): [string, Json | undefined][] {
  const entries = entriesOf(key, text)
  const odd = entries.find(([amount]) => !/^[1-9]\d{0,6}$/.test(amount))
  if (odd !== undefined) fail(key, `must name whole amounts: "${odd[0].slice(0, 20)}" is none`)
  return entries
}

/** Above the first, up to the second. */
function isBetween(value: Json | undefined, above: number, max: number): boolean {
  return typeof value === 'number' && value > above && value <= max
}

function fail(key: string, fault: string): never {
  throw new Refusal('invalid_field', { reason: `${key} ${fault}.`, param: key })
}
