import t from 'tap'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { decimalText } from '../../../../plugins/services/pricing/decimal.js'
import { type PriceField, priceOptions } from '../../../../plugins/services/pricing/price-maps.js'

const flat: readonly PriceField[] = [
  'modelRatio',
  'modelPrice',
  'completionRatio',
  'cacheRatio',
  'createCacheRatio',
  'imageRatio',
  'audioRatio',
  'audioCompletionRatio',
  'groupRatio',
  'toolPrices',
]

/** The sentence that refuses the text; undefined: it is taken. */
function fault(field: PriceField, text: string): string | undefined {
  const { option, read } = priceOptions[field]
  try {
    read(option, text)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'invalid_field' || error.param !== option) throw error
    return error.message
  }
}

t.test('[BILL-7] every price and ratio is a finite number that is not negative', async (t) => {
  for (const field of flat) {
    const { option } = priceOptions[field]
    const rows = [
      ['-1', `${option} must not be negative for "m".`],
      ['-0.0000001', `${option} must not be negative for "m".`],
      ['1e400', `${option} must hold a finite number for "m".`],
      ['1e12', `${option} must have at most 12 digits before the point for "m".`],
      ['1e-25', `${option} must have at most 24 digits after the point for "m".`],
      ['"1"', `${option} must hold a number for "m", not a string.`],
      ['true', `${option} must hold a number for "m", not a boolean.`],
      ['[1]', `${option} must hold a number for "m", not an array.`],
      ['{"a":1}', `${option} must hold a number for "m", not an object.`],
      ['NaN', `${option} is not valid JSON at character 6.`],
      ['Infinity', `${option} is not valid JSON at character 6.`],
      ['+1', `${option} is not valid JSON at character 6.`],
      ['01', `${option} is not valid JSON at character 7.`],
      ['1.', `${option} is not valid JSON at character 7.`],
      ['0', undefined],
      ['0.000000000000000000000001', undefined],
      ['999999999999.5', undefined],
      ['1e3', undefined],
    ] as const
    for (const [value, message] of rows) t.equal(fault(field, `{"m":${value}}`), message)
  }
  const nested = priceOptions.groupGroupRatio.option
  t.equal(fault('groupGroupRatio', '{"vip":{"m":-1}}'), `${nested} must not be negative for "m".`)
  t.equal(
    fault('groupGroupRatio', '{"vip":1}'),
    `${nested} must hold an object for "vip", not a number.`,
  )
  t.equal(fault('groupGroupRatio', '{"vip":{"m":0.5},"svip":{"m":0.4}}'), undefined)
})

t.test('[BILL-8] empty keys and empty values are refused', async (t) => {
  const rows = [
    ['{"":1}', 'ModelRatio: the key "" is empty.'],
    ['{"  ":1}', 'ModelRatio: the key "  " is empty.'],
    ['{"m":null}', 'ModelRatio must hold a number for "m", not null.'],
    ['{"m":""}', 'ModelRatio must hold a number for "m", not an empty string.'],
    ['{"m":{}}', 'ModelRatio must hold a number for "m", not an object.'],
    ['null', 'ModelRatio must be a JSON object, not null.'],
    ['[]', 'ModelRatio must be a JSON object, not an array.'],
    ['""', 'ModelRatio must be a JSON object, not an empty string.'],
    ['', 'ModelRatio is not valid JSON at character 1.'],
    ['{"m":1} x', 'ModelRatio is not valid JSON at character 9.'],
    ['{"m":1,}', 'ModelRatio is not valid JSON at character 8.'],
    ['{"m" 1}', 'ModelRatio is not valid JSON at character 6.'],
    ['{"m\\q":1}', 'ModelRatio is not valid JSON at character 2.'],
    ['{"m', 'ModelRatio is not valid JSON at character 2.'],
    ['{}', undefined],
  ] as const
  for (const [text, message] of rows) t.equal(fault('modelRatio', text), message, text)
  t.equal(
    fault('groupGroupRatio', '{"vip":{}}'),
    'GroupGroupRatio must hold an object for "vip", not an empty one.',
  )
})

t.test('[BILL-8] two keys that name the same model are refused, however written', async (t) => {
  const nfc = 'caf\u00e9'
  const nfd = 'cafe\u0301'
  const rows = [
    ['{"m":1,"m":1}', 'ModelRatio holds the key "m" twice.'],
    ['{"m":1,"\\u006d":2}', 'ModelRatio holds the key "m" twice.'],
    ['{"m":1," m":2}', 'ModelRatio: the keys "m" and " m" name the same.'],
    ['{"m ":1,"m":2}', 'ModelRatio: the keys "m " and "m" name the same.'],
    [`{"${nfc}":1,"${nfd}":2}`, `ModelRatio: the keys "${nfc}" and "${nfd}" name the same.`],
    ['{"m":1,"M":2}', undefined],
  ] as const
  for (const [text, message] of rows) t.equal(fault('modelRatio', text), message, text)
  t.equal(
    fault('groupGroupRatio', '{"vip":{"a":1},"vip":{"b":1}}'),
    'GroupGroupRatio holds the key "vip" twice.',
  )
  t.equal(
    fault('groupGroupRatio', '{"vip":{"a":1,"a ":1}}'),
    'GroupGroupRatio: the keys "a" and "a " name the same.',
  )
  t.equal(fault('freeModels', '["a","a "]'), 'FreeModels: the keys "a" and "a " name the same.')
})

t.test('[BILL-8] a key has at most 256 characters, counted as code points (X8)', async (t) => {
  t.equal(fault('modelRatio', `{"${'m'.repeat(256)}":1}`), undefined)
  t.equal(fault('modelRatio', `{"${'😀'.repeat(256)}":1}`), undefined)
  t.match(fault('modelRatio', `{"${'m'.repeat(257)}":1}`), /is longer than 256 characters/)
  t.match(fault('modelRatio', `{"${'😀'.repeat(257)}":1}`), /is longer than 256 characters/)
  t.ok(fault('modelRatio', `{"${'m'.repeat(100_000)}":1}`)!.length < 200)
})

t.test('control and invisible characters are refused in keys and spelled out (X8)', async (t) => {
  const rows = [
    ['\\u0000', '"a\\u0000b"'],
    ['\\n', '"a\\nb"'],
    ['\u200b', '"a\\u{200b}b"'],
    ['\u202e', '"a\\u{202e}b"'],
    ['\ufeff', '"a\\u{feff}b"'],
    ['\u00a0', '"a\\u{a0}b"'],
    ['\u3164', '"a\\u{3164}b"'],
    ['\\ud800', '"a\\ud800b"'],
  ] as const
  for (const [character, shown] of rows) {
    t.equal(
      fault('modelRatio', `{"a${character}b":1}`),
      `ModelRatio: the key ${shown} holds a control or invisible character.`,
    )
  }
  t.equal(fault('modelRatio', '{"模型 1.5":1,"a/b:c@d":1}'), undefined)
})

t.test('[BILL-8] at most 2 MiB and 20000 entries', async (t) => {
  const entries = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}`
  t.equal(fault('modelRatio', entries(20_000)), undefined)
  t.equal(fault('modelRatio', entries(20_001)), 'ModelRatio holds more than 20000 entries.')
  t.equal(
    fault('groupGroupRatio', `{"a":${entries(10_000)},"b":${entries(10_001)}}`),
    'GroupGroupRatio holds more than 20000 entries.',
  )
  const padded = (bytes: number) => `{"m":1${' '.repeat(bytes - 7)}}`
  t.equal(fault('modelRatio', padded(2 * 1024 * 1024)), undefined)
  const tooLarge = 'ModelRatio is larger than 2097152 bytes.'
  t.equal(fault('modelRatio', padded(2 * 1024 * 1024 + 1)), tooLarge)
  const wide = `{"m":1${' '.repeat(10)}}${'é'.repeat(1024 * 1024)}`
  t.equal(fault('modelRatio', wide), tooLarge, 'bytes are counted, not UTF-16 units')
})

t.test('numbers keep their source text (X6)', async (t) => {
  const map = priceOptions.modelRatio.read('ModelRatio', '{"a":0.15,"b":1e-7,"__proto__":2.50}')
  t.same(
    [...map].map(([key, value]) => [key, decimalText(value)]),
    [
      ['a', '0.15'],
      ['b', '0.0000001'],
      ['__proto__', '2.5'],
    ],
  )
  const big = priceOptions.modelRatio.read('ModelRatio', '{"a":9007199254.740993}')
  t.equal(decimalText(big.get('a')!), '9007199254.740993')
})

t.test('free models are an array of names', async (t) => {
  const rows = [
    ['["a","b"]', undefined],
    ['[]', undefined],
    ['{}', 'FreeModels must be a JSON array of model names.'],
    ['[1]', 'FreeModels must hold model names, not 1.'],
    ['[null]', 'FreeModels must hold model names, not null.'],
    ['[{"a":1}]', 'FreeModels must hold model names, not an object.'],
    ['[""]', 'FreeModels: the key "" is empty.'],
    ['[', 'FreeModels is not valid JSON.'],
  ] as const
  for (const [text, message] of rows) t.equal(fault('freeModels', text), message, text)
})
