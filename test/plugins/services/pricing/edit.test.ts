/** Editing single models in the price options, and what the table states of each model. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Manifest } from '../../../../kernel/contract/manifest.js'
import createPricing, { type PriceChanges } from '../../../../plugins/services/pricing/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import { manifestWith, optionsOver } from '../options/options-fixture.js'

const declared: Manifest = JSON.parse(
  await readFile(
    new URL('../../../../plugins/services/pricing/manifest.json', import.meta.url),
    'utf8',
  ),
)
const manifest: Manifest = manifestWith(declared.id, declared.settings)
const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

async function scriptedGateway(texts: Readonly<Record<string, string>> = {}) {
  const options = optionsOver(database, { manifests: [manifest] })
  const pricing = createPricing({
    settings: options.of(manifest),
    clock: new FakeClock(),
    log: silentLog,
    services: { options },
  })
  await options.start()
  await pricing.start?.()
  const empty = Object.fromEntries(
    ['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio']
      .concat('ImageRatio', 'AudioRatio', 'AudioCompletionRatio')
      .concat('TaskRateCards')
      .map((key) => [key, '{}']),
  )
  await options.put({ ...empty, FreeModels: '[]', ...texts })
  const text = (key: string) => options.list().find((option) => option.key === key)?.value
  return { options, pricing, text }
}

t.test('a quote shows what is written of a model, and what of it counts', async (t) => {
  const { pricing } = await scriptedGateway({
    ModelRatio: '{"a":1.25,"b":2,"d":1}',
    ModelPrice: '{"b":0.5}',
    CompletionRatio: '{"a":4,"c":8}',
    AudioCompletionRatio: '{"a ":2}',
    FreeModels: '["d"]',
  })
  const prices = pricing.current()
  const figures = { model_ratio: 1.25, completion_ratio: 4, audio_completion_ratio: 2 }
  t.strictSame(prices.models(), ['a', 'b', 'c', 'd'])
  t.strictSame(prices.quote('a'), { model: 'a', mode: 'ratio', figures })
  t.match(prices.quote('b'), { mode: 'price', figures: { model_ratio: 2, model_price: 0.5 } })
  t.match(prices.quote('c'), { mode: 'none' })
  t.match(prices.quote('d'), { mode: 'free' })
  t.equal(prices.quote('e'), undefined)
})

t.test('entries nobody touched keep their keys and every digit', async (t) => {
  const { pricing, text } = await scriptedGateway({
    ModelRatio: '{ "a ": 9007199254.740993, "b": 1e-7, "c": 2.50, "gone": 1 }',
    FreeModels: '["x ", "y"]',
  })
  await pricing.change({
    b: { model_ratio: 0.15 },
    c: { model_ratio: 2.5 },
    d: { model_ratio: 3, completion_ratio: 4 },
    gone: { model_ratio: null },
    y: { free: false },
    z: { free: true },
  })
  t.equal(
    text('ModelRatio'),
    '{\n  "a ": 9007199254.740993,\n  "b": 0.15,\n  "c": 2.50,\n  "d": 3\n}',
  )
  t.equal(text('CompletionRatio'), '{\n  "d": 4\n}')
  t.equal(text('FreeModels'), '[\n  "x ",\n  "z"\n]')
  t.equal(text('ModelPrice'), '{}', 'nothing changed there')
})

t.test('an edit finds a model under any spelling of its name', async (t) => {
  const { pricing, text } = await scriptedGateway({ ModelRatio: '{"cafe\u0301 ":1}' })
  await pricing.change({ ' caf\u00e9': { model_ratio: 2 } })
  t.equal(text('ModelRatio'), '{\n  "cafe\u0301 ": 2\n}')
})

t.test('null takes a figure, or all of a model, away', async (t) => {
  const { pricing, text } = await scriptedGateway({
    ModelRatio: '{"a":1,"b":1}',
    CompletionRatio: '{"a":2}',
    FreeModels: '["a"]',
  })
  const rows = await pricing.change({ a: null, b: { model_ratio: null, model_price: 1 } })
  t.match(rows, [
    { model: 'a', before: { mode: 'free' }, after: undefined },
    { model: 'b', before: { mode: 'ratio' }, after: { mode: 'price' } },
  ])
  t.strictSame(['ModelRatio', 'CompletionRatio', 'FreeModels'].map(text), ['{}', '{}', '[]'])
  t.equal(pricing.priced('a'), false)
  t.equal(pricing.priced('b'), true)
})

t.test('a preview answers what a change would, and saves nothing', async (t) => {
  const { pricing, text } = await scriptedGateway({ ModelRatio: '{"a":1}' })
  const changes = { a: { model_ratio: 2 }, b: { model_price: 0.1 } }
  const version = pricing.current().version
  const shown = pricing.preview(changes)
  t.equal(text('ModelRatio'), '{"a":1}')
  t.equal(pricing.current().version, version)
  t.strictSame(await pricing.change(changes), shown)
  t.equal(pricing.current().quote('a')?.figures.model_ratio, 2)
})

t.test('two who price different models at once lose nothing', async (t) => {
  const first = await scriptedGateway()
  const second = await scriptedGateway()
  const models = Array.from({ length: 10 }, (_, index) => `m${index}`)
  await Promise.all(
    models.map((model, index) =>
      [first, second][index % 2]!.pricing.change({ [model]: { model_ratio: index, free: true } }),
    ),
  )
  for (const { pricing } of [first, second]) {
    const prices = pricing.current()
    t.strictSame(prices.models(), models)
    t.strictSame(
      models.map((model) => prices.quote(model)?.figures.model_ratio),
      models.map((_, index) => index),
    )
  }
})

t.test('[BILL-7] [BILL-8] an edit that breaks the rules for prices changes nothing', async (t) => {
  const { pricing, text } = await scriptedGateway({ ModelRatio: '{"a":1}' })
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`m${index}`, { model_ratio: 1 }]),
  )
  const rows: readonly (readonly [PriceChanges, RegExp])[] = [
    [{ a: { model_ratio: -1 } }, /^ModelRatio must not be negative for "a"\.$/],
    [{ a: { image_ratio: 1e13 } }, /^ImageRatio must have at most 12 digits .* for "a"\.$/],
    [{ a: { model_price: 1e-30 } }, /^ModelPrice must have at most 24 digits .* for "a"\.$/],
    [{ '': { model_ratio: 1 } }, /^The model "" is empty\.$/],
    [{ ' ': null }, /^The model " " is empty\.$/],
    [{ ['m'.repeat(257)]: null }, /^The model "m+…" is longer than 256 characters\.$/],
    [{ 'a\u200b': { model_ratio: 1 } }, /^The model "a\\u\{200b\}" holds a control or invisible/],
    [{ b: { model_ratio: 1 }, 'b ': { model_ratio: 2 } }, /^The model "b" stands there twice\.$/],
    [many, /^ModelRatio holds more than 20000 entries\.$/],
  ]
  for (const [changes, message] of rows) {
    await t.rejects(pricing.change(changes), { code: 'invalid_field', message })
    t.throws(() => pricing.preview(changes), { code: 'invalid_field', message })
  }
  t.equal(text('ModelRatio'), '{"a":1}')
})

const kling = '{"unit":"second",\n "rates":[{"when":{"mode":"pro"},"price":"0.10"}],"step":1}'

t.test(
  'cards are edited one by one, and those nobody touched stay as they stand there',
  async (t) => {
    const { pricing, text } = await scriptedGateway({
      TaskRateCards: `{ "kling ": ${kling}, "suno": {"unit":"task","price":0.10}, "gone": {"unit":"task","price":"1"} }`,
    })
    const sora = { unit: 'second', rates: [{ when: { size: '*' }, price: '0.10' }], minimum: '4' }
    const rows = await pricing.change({
      suno: { rate_card: { unit: 'piece', price: '0.050' } },
      gone: null,
      sora: { rate_card: sora },
      kling: { model_ratio: 2 },
    })
    t.match(rows, [
      { model: 'suno', before: { mode: 'card', card: { price: '0.10' } }, after: { mode: 'card' } },
      { model: 'gone', before: { mode: 'card' }, after: undefined },
      { model: 'sora', before: undefined, after: { mode: 'card', card: sora } },
      { model: 'kling', before: { mode: 'card' }, after: { mode: 'card' } },
    ])
    const written = [
      `"kling ": ${kling}`,
      '"suno": {"unit":"piece","price":"0.050"}',
      `"sora": ${JSON.stringify(sora)}`,
    ]
    t.equal(text('TaskRateCards'), `{\n  ${written.join(',\n  ')}\n}`)
    await pricing.change({ sora: { rate_card: { ...sora } } })
    t.equal(text('TaskRateCards'), `{\n  ${written.join(',\n  ')}\n}`, 'the same card is no change')
    await pricing.change({ sora: { rate_card: null }, suno: { rate_card: null } })
    t.equal(text('TaskRateCards'), `{\n  "kling ": ${kling}\n}`)
  },
)

t.test('[BILL-7] [BILL-8] a card that breaks the rules changes nothing', async (t) => {
  const { pricing, text } = await scriptedGateway({ ModelRatio: '{"a":1}' })
  const version = pricing.current().version
  const change = { a: { rate_card: { unit: 'second', price: '-1' }, model_ratio: 7 } }
  const message = /^TaskRateCards must not be negative for price of "a"\.$/
  await t.rejects(pricing.change(change), {
    code: 'invalid_field',
    param: 'TaskRateCards',
    message,
  })
  t.equal(text('ModelRatio'), '{"a":1}')
  t.equal(pricing.current().version, version)
  await pricing.change({ a: { rate_card: { unit: 'second', price: '1' } } })
  t.not(pricing.current().version, version, 'cards are part of what a request is admitted with')
})

t.test('a usage is tried on a card that is not stored', async (t) => {
  const { pricing } = await scriptedGateway({ GroupRatio: '{"default":1,"vip":0.5}' })
  const card = { unit: 'second', rates: [{ when: { mode: 'pro' }, price: '0.1' }], minimum: '5' }
  const usage = { quantity: 3, dimensions: { mode: 'pro' } }
  const trial = { model: 'new', card, usage, group: 'vip' }
  t.match(pricing.example(trial), {
    priced: true,
    cost: 125_000n,
    hold: 125_000n,
    snapshot: { rate_card: { quantity: 3, after_minimum: 5, units: 5 }, group_ratio: 0.5 },
  })
  t.match(pricing.example({ ...trial, usage: { quantity: 3, dimensions: { mode: 'std' } } }), {
    priced: false,
    dimension: 'mode',
    message: /"new" with mode "std"/,
  })
  t.throws(() => pricing.example({ ...trial, group: 'none' }), /group has no ratio/)
  t.throws(() => pricing.example({ ...trial, card: { unit: 'x' } }), /TaskRateCards must/)
  t.equal(pricing.priced('new'), false)
})
