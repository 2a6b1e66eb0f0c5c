/**
 * An option's value between its three forms: what an admin sends, the text that is stored, and the typed value a
 * plugin reads. A value that breaks the rules declared in the manifest is refused in a sentence that names the key.
 */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import type { SettingField } from '../../../kernel/contract/manifest.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { holdsTooMuch } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'

const defaultTextBytesMax = 65_536

/** The text to store for what was sent: a string, number, boolean, or the object behind a JSON text. */
export function checkedText(key: string, field: SettingField, sent: unknown): string {
  const bytesMax = field.maxBytes ?? defaultTextBytesMax
  const tooLarge = (text: string) => text.length > bytesMax || Buffer.byteLength(text) > bytesMax
  if (typeof sent === 'string' && tooLarge(sent)) throw oversize(key, bytesMax)
  const text = rules[field.type](sent, field)
  if (text instanceof Fault) throw refusal(key, text.sentence)
  if (tooLarge(text)) throw oversize(key, bytesMax)
  return text
}

/** The typed value of a text that `checkedText` gave. */
export function typedValue(type: SettingField['type'], text: string): Json {
  switch (type) {
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'json':
    case 'list':
      return JSON.parse(text) as Json
    default:
      return text
  }
}

/** The declared default, or the emptiest value of the type. */
export function defaultText({ type, default: declared, options, min }: SettingField): string {
  if (typeof declared === 'string') return declared
  if (declared !== undefined && declared !== null) return JSON.stringify(declared)
  if (type === 'select') return options?.[0] ?? ''
  return emptyText[type] ?? String(min ?? 0)
}

export function unknownOption(key: string): Refusal {
  const reason = `There is no option ${JSON.stringify(key.slice(0, 200))}.`
  return new Refusal('invalid_field', { reason, param: key })
}

const emptyText: Readonly<Partial<Record<SettingField['type'], string>>> = {
  string: '',
  secret: '',
  boolean: 'false',
  json: '{}',
  list: '[]',
}

/** What is wrong with a value: the end of a sentence that begins with the option's key. */
class Fault {
  constructor(readonly sentence: string) {}
}

type Rule = (sent: unknown, field: SettingField) => string | Fault

const plainText: Rule = (sent) =>
  typeof sent === 'string' || typeof sent === 'number' || typeof sent === 'boolean'
    ? String(sent)
    : new Fault(`must be text, not ${kindOf(sent)}`)

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const rules: Readonly<Record<SettingField['type'], Rule>> = {
  string: plainText,
  secret: plainText,
  number(sent, field) {
    const text = typeof sent === 'number' ? String(sent) : sent
    if (typeof text !== 'string' || !numberText.test(text)) return new Fault(expected(field))
    const value = Number(text)
    const { min = -Infinity, max = Infinity, integer = false } = field
    const fits = Number.isFinite(value) && value >= min && value <= max
    if (!fits || (integer && !Number.isSafeInteger(value))) return new Fault(expected(field))
    return String(value)
  },
  boolean: (sent) =>
    sent === true || sent === false || sent === 'true' || sent === 'false'
      ? String(sent)
      : new Fault('must be true or false'),
  select: (sent, { options = [] }) =>
    typeof sent === 'string' && options.includes(sent)
      ? sent
      : new Fault(`must be one of ${options.join(', ')}`),
  json: (sent) => jsonText(sent, 'a JSON object'),
  list: (sent) => jsonText(sent, 'a JSON array'),
}

/** A JSON text stays as it was sent, so that numbers keep every digit. */
function jsonText(sent: unknown, shape: 'a JSON object' | 'a JSON array'): string | Fault {
  const value = typeof sent === 'string' ? parsed(sent) : sent
  if (value instanceof Fault) return value
  const fits = shape === 'a JSON object' ? isObject(value) : Array.isArray(value)
  if (!fits) return new Fault(`must be ${shape}, not ${kindOf(value)}`)
  return typeof sent === 'string' ? sent : JSON.stringify(sent)
}

function parsed(text: string): unknown {
  if (holdsTooMuch(text)) return new Fault(tooMuch)
  try {
    return JSON.parse(text)
  } catch {
    return new Fault('is not valid JSON')
  }
}

/** What one text may hold, whatever option it is for. */
const tooMuch =
  `holds too much: at most ${limits.jsonObjectMembersMax} members in one object, ` +
  `${limits.eventJsonMembersMax} members and ${limits.eventJsonValuesMax} values in all, ` +
  `${limits.jsonDepthMax} levels`

function expected({ min, max, integer }: SettingField): string {
  const kind = integer ? 'a whole number' : 'a number'
  if (min !== undefined && min === max) return `cannot be anything but ${min}`
  if (min !== undefined && max !== undefined) return `must be ${kind} from ${min} to ${max}`
  if (min !== undefined) return `must be ${kind} of at least ${min}`
  return max === undefined ? `must be ${kind}` : `must be ${kind} of at most ${max}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'absent'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function oversize(key: string, bytesMax: number): Refusal {
  return refusal(key, `is larger than ${bytesMax} bytes`)
}

function refusal(key: string, fault: string): Refusal {
  return new Refusal('invalid_field', { reason: `${key} ${fault}.`, param: key })
}
