import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Log } from '../../../../kernel/contract/kit.js'
import type { Manifest } from '../../../../kernel/contract/manifest.js'
import createPricing, { type Pricing } from '../../../../plugins/services/pricing/index.js'
import { priceOptions } from '../../../../plugins/services/pricing/price-maps.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import { cpuMs, turnMsMax } from '../../../kit/turn.js'
import { manifestWith, optionsOver } from '../options/options-fixture.js'

const declared: Manifest = JSON.parse(
  await readFile(
    new URL('../../../../plugins/services/pricing/manifest.json', import.meta.url),
    'utf8',
  ),
)
const manifest: Manifest = { ...manifestWith(declared.id, declared.settings) }

const database = await testDatabase(t)

t.beforeEach(async () => {
  await database.knex('options').delete()
})

async function scriptedGateway(log: Log = silentLog) {
  const options = optionsOver(database, { manifests: [manifest] })
  const pricing = createPricing({
    settings: options.of(manifest),
    clock: new FakeClock(),
    log,
    services: { options },
  })
  await options.start()
  await pricing.start?.()
  return { options, pricing }
}

function cost(pricing: Pick<Pricing, 'current'>, model: string, group = 'default') {
  const ask = { requestedModel: model, upstreamModel: model, group, userGroup: 'default' }
  return pricing.current().price(ask)?.cost({ input: 1_000_000 })
}

t.test('the manifest declares every price option under its key', async (t) => {
  const keys = Object.fromEntries(declared.settings.map(({ name, option }) => [name, option]))
  for (const [field, { option }] of Object.entries(priceOptions)) t.equal(keys[field], option)
})

t.test(
  'the first start writes the default prices, later starts leave them to the operator',
  async (t) => {
    const { options, pricing } = await scriptedGateway()
    t.equal(cost(pricing, 'gpt-4o'), 1_250_000n)
    t.strictSame(pricing.groups(), ['default', 'vip', 'svip'])
    t.equal(pricing.priced('claude-sonnet-4-5'), true)
    await options.put({ ModelRatio: '{"mine":1}' })
    const again = await scriptedGateway()
    t.equal(again.pricing.priced('gpt-4o'), false)
    t.equal(cost(again.pricing, 'mine'), 1_000_000n)
  },
)

t.test(
  'a new price is in force at once, and a request keeps the table it was admitted with',
  async (t) => {
    const { options, pricing } = await scriptedGateway()
    await options.put({ ModelRatio: '{"m":1,"gone":1}' })
    const pinned = pricing.current()
    await options.put({ ModelRatio: '{"m":2}' })
    t.equal(cost(pricing, 'm'), 2_000_000n)
    t.equal(cost({ current: () => pinned }, 'm'), 1_000_000n)
    t.equal(
      cost({ current: () => pinned }, 'gone'),
      1_000_000n,
      'also where the model is gone since',
    )
    t.equal(pricing.priced('gone'), false)
    t.not(pricing.current().version, pinned.version)
    await options.put({ ModelRatio: '{"m":1,"gone":1}' })
    t.equal(pricing.current().version, pinned.version, 'a version is what it holds')
  },
)

t.test('other options make no new table', async (t) => {
  const { options, pricing } = await scriptedGateway()
  const before = pricing.current()
  await options.put({ QuotaPerUnit: 500_000 })
  t.equal(pricing.current(), before)
})

t.test('a group has one ratio for everybody, or another for callers of some group', async (t) => {
  const { options, pricing } = await scriptedGateway()
  await options.put({ GroupRatio: '{"default":1,"vip":0.80}' })
  await options.put({ GroupGroupRatio: '{"vip":{"default":0.9}}' })
  t.equal(pricing.ratio('default', 'default'), 1)
  t.equal(pricing.ratio('vip', 'default'), 0.8)
  t.equal(pricing.ratio('default', 'vip'), 0.9)
  t.equal(pricing.ratio('vip', 'vip'), 0.8)
  t.equal(pricing.ratio('nobody', 'vip'), 1)
})

t.test('two processes agree on the version', async (t) => {
  const first = await scriptedGateway()
  const second = await scriptedGateway()
  t.equal(first.pricing.current().version, second.pricing.current().version)
  await first.options.put({ GroupRatio: '{"default":2}' })
  t.equal(cost(second.pricing, 'gpt-4o'), 2_500_000n)
  t.equal(first.pricing.current().version, second.pricing.current().version)
})

t.test('[BILL-7] [BILL-8] a put that breaks the rules for prices changes nothing', async (t) => {
  const { options, pricing } = await scriptedGateway()
  const version = pricing.current().version
  const rows = [
    ['ModelRatio', '{"gpt-4o":-1}', /ModelRatio .*"gpt-4o"/],
    ['ModelRatio', '{"gpt-4o":"1"}', /ModelRatio .*"gpt-4o", not a string/],
    ['ModelRatio', '{"gpt-4o":1e999}', /ModelRatio must hold a finite number for "gpt-4o"/],
    ['ModelRatio', 'null', /ModelRatio .*not null/],
    ['ModelRatio', null, /ModelRatio .*not null/],
    ['ModelPrice', '{"a":1,"a":1}', /ModelPrice holds the key "a" twice/],
    ['TaskRateCards', '{"a":{"unit":"second"}}', /TaskRateCards must hold either a price or rates/],
    ['CompletionRatio', '{"a":1,"a ":1}', /CompletionRatio: the keys "a" and "a " name the same/],
    ['CacheRatio', '{"":1}', /CacheRatio: the key "" is empty/],
    ['CreateCacheRatio', '{"a":null}', /CreateCacheRatio .*null/],
    ['ImageRatio', '{"a":[]}', /ImageRatio .*an array/],
    ['AudioRatio', `{"${'a'.repeat(257)}":1}`, /AudioRatio: the key .* longer than 256/],
    ['AudioCompletionRatio', '{"a":{}}', /AudioCompletionRatio .*an object/],
    ['GroupRatio', '{"default":-0.1}', /GroupRatio must not be negative for "default"/],
    ['GroupGroupRatio', '{"vip":null}', /GroupGroupRatio .*"vip", not null/],
    ['FreeModels', '[""]', /FreeModels: the key "" is empty/],
    ['tool_price_setting.prices', '{"web_search":-1}', /tool_price_setting.prices must not/],
    ['QuotaPerUnit', 1, /QuotaPerUnit cannot be anything but 500000/],
  ] as const
  const before = await database.knex('options').orderBy('key')
  for (const [key, value, message] of rows) {
    await t.rejects(options.put({ [key]: value }), { code: 'invalid_field', param: key, message })
  }
  t.strictSame(await database.knex('options').orderBy('key'), before)
  t.equal(pricing.current().version, version)
})

t.test(
  '[BILL-8] a map of 20000 entries is stored and in force, two million bytes are read in a moment',
  async (t) => {
    const { options, pricing } = await scriptedGateway()
    const entries = Array.from({ length: 20_000 }, (_, index) => {
      return `"vendor/a-model-with-quite-a-long-name-${'x'.repeat(40)}-${index}":${index}.25`
    })
    const text = `{${entries.join()}}`
    t.ok(text.length > 1_800_000)
    const momentMs = 20 * turnMsMax()
    const before = cpuMs()
    options.list()
    priceOptions.modelRatio.read('ModelRatio', text)
    t.ok(cpuMs() - before < momentMs, 'far below what would be felt')
    await options.put({ ModelRatio: text })
    const last = `vendor/a-model-with-quite-a-long-name-${'x'.repeat(40)}-19999`
    t.equal(cost(pricing, last), 19_999_250_000n)
  },
)

t.test(
  'prices damaged in the database leave the last table in force, and stop a start',
  async (t) => {
    const errors: string[] = []
    const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) }
    const { options, pricing } = await scriptedGateway(log)
    await options.put({ ModelRatio: '{"m":1}' })
    await database.knex.transaction(async (trx) => {
      await trx('options').where('key', 'ModelRatio').update({ value: '{"m":-1}' })
      await database.changes.note(trx, 'options', 'ModelRatio')
    })
    await database.changes.settled()
    t.equal(cost(pricing, 'm'), 1_000_000n)
    t.strictSame(errors, ['the stored prices cannot be read; the last table stays in force'])
    await t.rejects(scriptedGateway(), /ModelRatio must not be negative for "m"/)
  },
)

t.test('there is no table before the start', async (t) => {
  const options = optionsOver(database, { manifests: [manifest] })
  const pricing = createPricing({
    settings: options.of(manifest),
    clock: new FakeClock(),
    log: silentLog,
    services: { options },
  })
  t.throws(() => pricing.current(), /once pricing has started/)
})
