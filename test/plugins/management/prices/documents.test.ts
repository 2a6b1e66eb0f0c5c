/** Prices as documents of the option path: what breaks the rules is refused in a sentence, and the last table stays. */
import t, { type Test } from 'tap'
import { root, shelf } from '../models/shelf.js'

const gateway = await shelf(t)
const { must, call, stored, pricing, database } = gateway
gateway.caller = root

const put = (key: string, value: unknown) => call('PUT', '/api/option/', { key, value })
const everyMap = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
]

const kept = '{ "kept": 0.50 }'
for (const key of everyMap) await must('PUT', '/api/option/', { key, value: kept })

/** Each row: what is sent, and the sentence that refuses it. */
async function refused(
  t: Test,
  key: string,
  rows: readonly (readonly [title: string, value: unknown, message: string | RegExp])[],
): Promise<void> {
  const before = await database.knex('options').orderBy('key')
  const version = pricing.current().version
  for (const [title, value, message] of rows) {
    const { status, body } = await put(key, value)
    t.equal(status, 400, `${key}: ${title}`)
    t.match(body, { success: false, code: 'invalid_field', field: key, data: null })
    t.match(body.message, message, `${key}: ${title}`)
  }
  t.strictSame(await database.knex('options').orderBy('key'), before, `${key}: nothing is saved`)
  t.equal(pricing.current().version, version, `${key}: the last table stays in force`)
}

t.test('[BILL-7] prices and ratios are finite numbers that are not negative', async (t) => {
  for (const key of everyMap) {
    await refused(t, key, [
      ['negative', '{"m":-1}', `${key} must not be negative for "m".`],
      ['barely negative', '{"m":-1e-9}', `${key} must not be negative for "m".`],
      ['not finite', '{"m":1e400}', `${key} must hold a finite number for "m".`],
      ['NaN', '{"m":NaN}', `${key} is not valid JSON.`],
      ['a number in quotes', '{"m":"1"}', `${key} must hold a number for "m", not a string.`],
      ['true', '{"m":true}', `${key} must hold a number for "m", not a boolean.`],
    ])
  }
  t.equal(await stored('ModelPrice'), kept)
})

t.test('[BILL-8] bounds, empty keys and values, and two spellings of one name', async (t) => {
  const entries = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}`
  for (const key of everyMap) {
    await refused(t, key, [
      ['an empty key', '{"":1}', `${key}: the key "" is empty.`],
      ['a key of blanks', '{" ":1}', `${key}: the key " " is empty.`],
      ['an empty text', '{"m":""}', `${key} must hold a number for "m", not an empty string.`],
      ['null for a value', '{"m":null}', `${key} must hold a number for "m", not null.`],
      ['an object for a value', '{"m":{}}', `${key} must hold a number for "m", not an object.`],
      ['257 characters', `{"${'😀'.repeat(257)}":1}`, /is longer than 256 characters\.$/],
      ['a key twice', '{"m":1,"m":2}', `${key} holds the key "m" twice.`],
      ['alike after trim', '{"m":1,"m ":2}', `${key}: the keys "m" and "m " name the same.`],
      ['alike after NFC', '{"caf\u00e9":1,"cafe\u0301":2}', /name the same\.$/],
      ['20001 entries', entries(20_001), /holds too much: at most 20000 members in one object/],
    ])
  }
  const padded = (bytes: number) => `{"m":1${' '.repeat(bytes - 7)}}`
  const limit = 2 * 1024 * 1024
  await refused(t, 'ModelRatio', [
    ['a byte more than 2 MiB', padded(limit + 1), 'ModelRatio is larger than 2097152 bytes.'],
  ])
  for (const value of [padded(limit), entries(20_000), `{"${'😀'.repeat(256)}":1}`, kept]) {
    await must('PUT', '/api/option/', { key: 'ModelRatio', value })
    t.equal(await stored('ModelRatio'), value, 'the bound itself is taken, as it was sent')
  }
})

t.test('[API-4] null is no document, neither bare nor as text nor for a group', async (t) => {
  for (const key of [...everyMap, 'GroupRatio', 'GroupGroupRatio', 'tool_price_setting.prices']) {
    await refused(t, key, [
      ['null', null, `${key} must be a JSON object, not null.`],
      ['null as text', 'null', `${key} must be a JSON object, not null.`],
      ['null with blanks', ' null ', `${key} must be a JSON object, not null.`],
    ])
  }
  await refused(t, 'GroupGroupRatio', [
    ['null for a group', '{"vip":null}', /must hold an object for "vip", not null\.$/],
  ])
  await refused(t, 'FreeModels', [
    ['null', null, 'FreeModels must be a JSON array, not null.'],
    ['null for a name', '[null]', 'FreeModels must hold model names, not null.'],
  ])
})
