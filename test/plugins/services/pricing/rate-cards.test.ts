/** What may stand in `TaskRateCards`, and how cards are read, kept and changed. */
import t from 'tap'
import { priceOptions } from '../../../../plugins/services/pricing/price-maps.js'
import type { WrittenCard } from '../../../../plugins/services/pricing/pricing.js'
import { cpuMs, turnMsMax } from '../../../kit/turn.js'
import { tableWith } from './prices.js'

const read = (text: string) => priceOptions.taskRateCards.read('TaskRateCards', text)
const inCard = (rest: string) => `{"m":{"unit":"second",${rest}}}`
const rate = (when: string, price = '1') => `{"when":{${when}},"price":${price}}`

t.test('[BILL-8] a card is read with every digit it is written with', async (t) => {
  const text = '{ "m ": {"unit":"second","price":0.070,"minimum":"5","step":1e0} }'
  const card = read(text).get('m')
  t.strictSame(card?.written, { unit: 'second', price: '0.070', minimum: '5', step: '1e0' })
  t.match(card, { dimensions: [], rates: [{ price: { units: 7n, scale: 2 } }] })
  const table = inCard(`"rates":[${rate('"a":"x","b":"*"', '"0.10"')},${rate('"b":"y","a":"z"')}]`)
  t.strictSame(read(table).get('m')?.written.rates, [
    { when: { a: 'x', b: '*' }, price: '0.10' },
    { when: { b: 'y', a: 'z' }, price: '1' },
  ])
  t.strictSame(read(table).get('m')?.dimensions, ['a', 'b'])
})

t.test('[BILL-7] [BILL-8] what cannot be a card is refused by its place', async (t) => {
  const long = 'v'.repeat(65)
  const rows = [
    ['[]', /must be a JSON object, not an array/],
    ['{"m":1}', /must hold an object for "m", not a number/],
    ['{"m":null}', /must hold an object for "m", not null/],
    ['{"m":{}}', /must hold an object for "m", not an empty one/],
    ['{"m":{"price":"1"}}', /must name the unit of "m"/],
    ['{"m":{"unit":"","price":"1"}}', /must name the unit of "m"/],
    ['{"m":{"unit":"Second","price":"1"}}', /must name the unit of "m"/],
    ['{"m":{"unit":7,"price":"1"}}', /must hold a string for unit of "m", not a number/],
    ['{"m":{"unit":"second"}}', /must hold either a price or rates for "m"/],
    [inCard(`"price":1,"rates":[${rate('"a":"b"')}]`), /must hold either a price or rates/],
    [inCard('"price":1,"tax":2'), /must not hold "tax" for "m"/],
    [inCard('"price":1,"__proto__":2'), /must not hold "__proto__" for "m"/],
    [inCard('"price":1,"price":2'), /holds "price" for "m" twice/],
    [inCard('"price":-1'), /must not be negative for price of "m"/],
    [inCard('"price":"-0.01"'), /must not be negative for price of "m"/],
    [inCard('"price":1e999'), /must hold a finite number for price of "m"/],
    [inCard('"price":"NaN"'), /must hold a number for price of "m"/],
    [inCard('"price":""'), /must hold a number for price of "m"/],
    [inCard('"price":"0x10"'), /must hold a number for price of "m"/],
    [inCard('"price":null'), /must hold a number for price of "m", not null/],
    [inCard('"price":1e13'), /at most 12 digits before the point for price of "m"/],
    [inCard('"price":1,"minimum":-1'), /must not be negative for minimum of "m"/],
    [inCard('"price":1,"step":0'), /must hold a number above 0 for step of "m"/],
    [inCard('"price":1,"step":"Infinity"'), /must hold a number for step of "m"/],
    [inCard('"rates":{}'), /must hold an array for rates of "m", not an object/],
    [inCard('"rates":[]'), /must hold an array for rates of "m", not an empty one/],
    [inCard('"rates":[1]'), /must hold an object for rate 1 of "m", not a number/],
    [inCard(`"rates":[${rate('"a":"b"')},{"when":{"a":"c"}}]`), /a price for rate 2 of "m"/],
    [inCard(`"rates":[${rate('"a":true')}]`), /a string for "a" of rate 1 of "m", not a boolean/],
    [inCard(`"rates":[${rate('"a":""')}]`), /the value of "a" of rate 1 of "m" is empty/],
    [inCard(`"rates":[${rate(`"a":"${long}"`)}]`), /longer than 64 characters/],
    [inCard(`"rates":[${rate('"a":"b\\u200b"')}]`), /holds a control or invisible character/],
    [inCard(`"rates":[${rate('"a":"b","a":"c"')}]`), /holds "a" for when of rate 1 of "m" twice/],
    [inCard(`"rates":[${rate('"A":"b"')}]`), /"A" cannot be a dimension of rate 1 of "m"/],
    [inCard(`"rates":[${rate('"unit":"b"')}]`), /"unit" cannot be a dimension/],
    [inCard(`"rates":[${rate('"__proto__":"b"')}]`), /"__proto__" cannot be a dimension/],
    [
      inCard(`"rates":[${rate('"a":"1"')},${rate('"a":"2","b":"3"')}]`),
      /must hold b, or "\*" for any, for rate 1 of "m"/,
    ],
    [
      inCard(`"rates":[${rate('"a":"1"')},${rate('"constructor":"2"')}]`),
      /must hold constructor, or "\*" for any, for rate 1/,
    ],
    [
      inCard(`"rates":[${rate('"a":"1080p"')},${rate('"a":"*"')},${rate('"a":" 1080P"')}]`),
      /rate 3 of "m" is never reached, since rate 1 stands before it/,
    ],
    [
      inCard(`"rates":[${rate('"a":"*","b":"1"')},${rate('"a":"2","b":"1"')}]`),
      /rate 2 of "m" is never reached, since rate 1/,
    ],
    ['{"m":{"unit":"task","price":1},"m":{"unit":"task","price":1}}', /holds the key "m" twice/],
    [
      '{"m":{"unit":"task","price":1},"m ":{"unit":"task","price":1}}',
      /"m" and "m " name the same/,
    ],
    ['{"":{"unit":"task","price":1}}', /the key "" is empty/],
    [`{"${'m'.repeat(257)}":{"unit":"task","price":1}}`, /longer than 256/],
    ['{"m":{"unit":"task","price":1}', /is not valid JSON at character/],
    ['{"m":{"unit":"task","price":1}}x', /is not valid JSON/],
    [inCard(`"rates":[${rate('"a":"b"')} ${rate('"a":"c"')}]`), /is not valid JSON/],
    [`${' '.repeat(2 * 1024 * 1024)}{}`, /is larger than 2097152 bytes/],
  ] as const
  for (const [text, message] of rows) {
    const refusal = { code: 'invalid_field', param: 'TaskRateCards', message }
    t.throws(() => read(text), refusal, text.trim().slice(0, 120))
  }
})

t.test('[BILL-8] rates count as entries, and the largest option is read in a moment', async (t) => {
  const rates = (count: number) =>
    Array.from({ length: count }, (_, at) => rate(`"a":"${at}","b":"*"`)).join()
  const cards = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      return `"model-${at}":{"unit":"second","rates":[${rates(500)}]}`
    }).join()
  const momentMs = 40 * turnMsMax()
  const before = cpuMs()
  t.equal(read(`{${cards(40)}}`).size, 40)
  t.ok(cpuMs() - before < momentMs, 'far below what would be felt')
  t.throws(() => read(`{${cards(41)}}`), /holds more than 20000 entries/)
  t.throws(() => read(inCard(`"rates":[${rates(501)}]`)), /must hold at most 500 rates for "m"/)
  const wide = Array.from({ length: 9 }, (_, at) => `"d${at}":"x"`).join()
  t.throws(() => read(inCard(`"rates":[${rate(wide)}]`)), /must hold at most 8 dimensions/)
  const many = Array.from({ length: 150_000 }, (_, at) => `"d${at}":"x"`).join()
  t.throws(() => read(inCard(`"rates":[${rate(many)}]`)), /dimensions|entries|bytes/)
})

t.test('a quote shows the card as it is written, and what of the model counts', async (t) => {
  const taskRateCards = `{
    "card": {"unit":"second","rates":[{"when":{"resolution":"1080p"},"price":"0.10"},{"when":{"resolution":"*"},"price":"0.07"}],"minimum":"5"},
    "both": {"unit":"piece","price":"0.5"}
  }`
  const table = tableWith({ taskRateCards, modelPrice: '{"both":2}', modelRatio: '{"card":1}' })
  t.strictSame(table.models(), ['both', 'card'])
  t.match(table.quote('card'), { mode: 'card', figures: { model_ratio: 1 }, cardLeast: 0.35 })
  const both: { mode: string; card: WrittenCard } = {
    mode: 'price',
    card: { unit: 'piece', price: '0.5' },
  }
  t.match(table.quote('both'), both)
})
