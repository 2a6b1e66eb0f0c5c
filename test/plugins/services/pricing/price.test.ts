import fc from 'fast-check'
import t from 'tap'
import type { Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Price } from '../../../../kernel/contract/line/money.js'
import { decimal, times } from '../../../../plugins/services/pricing/decimal.js'
import { recompute } from '../../../../plugins/services/pricing/snapshot.js'
import { priceWith } from './prices.js'

/** A model with a ratio of its own for everything; ratio 1 is 1 quota per token. */
const full = {
  modelRatio: '{"m":1}',
  completionRatio: '{"m":4}',
  cacheRatio: '{"m":0.1}',
  createCacheRatio: '{"m":1.25}',
  imageRatio: '{"m":2}',
  audioRatio: '{"m":8}',
  audioCompletionRatio: '{"m":3}',
  toolPrices:
    '{"web_search":10,"web_search:m*":25,"web_search:m-free":0,"web_search:mini*":5,"file_search":2.5,"image_generation":150,"image_generation/high":300}',
}

t.test('each count is charged once, by its own weight', async (t) => {
  const price = priceWith(full)
  const rows: readonly (readonly [Usage, bigint])[] = [
    [{ input: 100 }, 100n],
    [{ cacheRead: 100 }, 10n],
    [{ cacheWrite5m: 100 }, 125n],
    [{ cacheWrite1h: 100 }, 200n],
    [{ inputImage: 100 }, 200n],
    [{ inputAudio: 100 }, 800n],
    [{ output: 100 }, 400n],
    [{ output: 100, reasoning: 90 }, 400n],
    [{ outputImage: 100 }, 400n],
    [{ outputAudio: 100 }, 2400n],
    [{ input: 100, cacheRead: 100, output: 100 }, 510n],
    [{}, 0n],
    [{ input: 0, output: 0 }, 0n],
    [{ reasoning: 100 }, 0n],
  ]
  for (const [usage, quota] of rows) t.equal(price.cost(usage), quota, JSON.stringify(usage))
})

t.test('a model without further entries has the documented defaults', async (t) => {
  const price = priceWith({ modelRatio: '{"m":1}', completionRatio: '{"m":5}' })
  const rows: readonly (readonly [Usage, bigint])[] = [
    [{ cacheRead: 100 }, 100n],
    [{ cacheWrite5m: 100 }, 125n],
    [{ cacheWrite1h: 100 }, 200n],
    [{ inputImage: 100 }, 100n],
    [{ inputAudio: 100 }, 100n],
    [{ outputImage: 100 }, 500n],
    [{ outputAudio: 100 }, 500n],
  ]
  for (const [usage, quota] of rows) t.equal(price.cost(usage), quota, JSON.stringify(usage))
  t.equal(priceWith({ modelRatio: '{"m":1}' }).cost({ output: 100 }), 100n)
})

t.test('the sum is exact and rounded once, half up (M19)', async (t) => {
  const rows: readonly (readonly [string, Usage, bigint])[] = [
    ['0.5', { input: 1 }, 1n],
    ['0.25', { input: 1, output: 1 }, 1n],
    ['0.249', { input: 1, output: 1 }, 1n],
    ['1.5', { input: 1 }, 2n],
    ['1.499999999999', { input: 1 }, 1n],
    ['4.35', { input: 100 }, 435n],
    ['19.99', { input: 100 }, 1999n],
    ['0.1', { input: 3 }, 1n],
    ['0.05', { input: 29, output: 1 }, 2n],
    ['1e-7', { input: 14_999_999 }, 1n],
    ['1e-7', { input: 15_000_000 }, 2n],
    ['123456789.000000000000000001', { input: 100_000_000 }, 9_007_199_254_740_991n],
    ['12345678.000000000000000001', { input: 100_000_000 }, 1_234_567_800_000_000n],
  ]
  for (const [ratio, usage, quota] of rows) {
    const price = priceWith({ modelRatio: `{"m":${ratio}}` })
    t.equal(price.cost(usage), quota, `${ratio} ${JSON.stringify(usage)}`)
    t.equal(recompute(price.explain(usage)), quota)
  }
})

t.test('holds round up from the first fraction', async (t) => {
  const search = { web_search: 0 }
  const rows = [
    ['1', 5, 5n],
    ['0.1', 10, 1n],
    ['0.1', 11, 2n],
    ['1e-7', 10_000_001, 2n],
    ['1.000000000000000000000001', 1, 2n],
  ] as const
  for (const [ratio, input, quota] of rows) {
    const price = priceWith({
      modelRatio: `{"m":${ratio}}`,
      // Without a finer weight beside it, a token is one unit and the least fraction is one too.
      createCacheRatio: '{"m":0}',
    })
    t.equal(price.hold({ input }), quota, `${input} at ${ratio}`)
    t.equal(price.hold({ input, serverTools: search }), quota, 'the same the long way')
  }
})

t.test(
  'a charge of 0 becomes 1 where the price is not zero and anything was delivered',
  async (t) => {
    const price = priceWith({ modelRatio: '{"m":1e-9}', cacheRatio: '{"m":0}' })
    t.equal(price.cost({ input: 1 }), 1n)
    t.equal(price.cost({ cacheRead: 10 }), 1n, 'delivered, although its own weight is 0')
    t.equal(price.cost({}), 0n)
    t.equal(price.cost({ input: 0 }), 0n)
    t.equal(priceWith({ modelRatio: '{"m":0}' }).cost({ input: 1_000_000 }), 0n)
    t.equal(price.hold({ input: 1 }), 1n, 'so the hold covers it')
    t.equal(price.hold({}), 1n)
  },
)

t.test('a fixed price is charged once per request, whatever the counts', async (t) => {
  const price = priceWith({ modelPrice: '{"m":0.04}', modelRatio: '{"m":100}' })
  t.equal(price.cost({ input: 1 }), 20_000n)
  t.equal(price.cost({ input: 1_000_000, output: 5 }), 20_000n)
  t.equal(price.cost({}), 0n, 'nothing delivered is nothing charged')
  t.equal(price.hold({}), 20_000n, 'set aside before anything is delivered')
  t.equal(price.explain({ output: 3 }).model_price, 0.04)
})

t.test('[BILL-5] tool calls are charged per 1,000 by name, the longest match first', async (t) => {
  const rows: readonly (readonly [model: string, tool: string, calls: number, quota: bigint])[] = [
    ['other', 'web_search', 1, 5000n],
    ['m', 'web_search', 1, 12_500n],
    ['mini-2', 'web_search', 2, 5000n],
    ['m-free', 'web_search', 7, 0n],
    ['other', 'file_search', 1, 1250n],
    ['other', 'image_generation', 1, 75_000n],
    ['other', 'image_generation/high', 1, 150_000n],
    ['other', 'image_generation/high/1024x1024', 1, 150_000n],
    ['other', 'image_generation/low/1024x1024', 1, 75_000n],
    ['other', 'unheard_of', 9, 0n],
    ['other', 'web_search', -1, 0n],
  ]
  const modelRatio = '{"m":1,"mini-2":1,"m-free":1,"other":1}'
  for (const [model, tool, calls, quota] of rows) {
    const price = priceWith({ ...full, modelRatio }, model)
    const usage = { input: 10, serverTools: { [tool]: calls } }
    t.equal(price.cost(usage), quota + 10n, `${calls} of ${tool} with ${model}`)
    t.equal(price.cost({ serverTools: { [tool]: calls } }), quota)
    t.equal(price.hold(usage), quota + 10n, 'the surcharge is set aside too')
  }
})

t.test('surcharges carry the group ratio and join a fixed price', async (t) => {
  const tools = { toolPrices: '{"web_search":10}', groupRatio: '{"default":0.5}' }
  const ratio = priceWith({ ...tools, modelRatio: '{"m":1}' })
  t.equal(ratio.cost({ input: 10, serverTools: { web_search: 1 } }), 2505n)
  const fixed = priceWith({ ...tools, modelPrice: '{"m":0.01}' })
  t.equal(fixed.cost({ output: 1, serverTools: { web_search: 1 } }), 5000n)
})

t.test('free is stated only of what can never cost anything', async (t) => {
  const tools = { toolPrices: '{"web_search":10}' }
  const search = { input: 100, serverTools: { web_search: 1 } }
  const rows = [
    [{ modelRatio: '{"m":1}' }, false, 100n],
    [{ modelRatio: '{"m":0}' }, true, 0n],
    [{ modelPrice: '{"m":0}' }, true, 0n],
    [{ modelRatio: '{"m":0}', ...tools }, false, 5000n],
    [{ freeModels: '["m"]', ...tools }, true, 0n],
    [{ freeModels: '["m"]', modelRatio: '{"m":1}' }, true, 0n],
    [{ modelRatio: '{"m":1}', groupRatio: '{"default":0}', ...tools }, true, 0n],
  ] as const
  for (const [texts, free, quota] of rows) {
    const price = priceWith(texts)
    t.equal(price.free, free, JSON.stringify(texts))
    t.equal(price.cost(search), quota)
    t.equal(price.hold(search), quota)
    t.equal(recompute(price.explain(search)), quota)
  }
})

t.test('hostile counts are clamped and never credit anyone (M21)', async (t) => {
  const price = priceWith({ modelRatio: '{"m":1}' })
  const rows = [
    [-5, 0n],
    [Number.NaN, 0n],
    [Number.NEGATIVE_INFINITY, 0n],
    [Number.POSITIVE_INFINITY, 100_000_000n],
    [1e18, 100_000_000n],
    [2.4, 2n],
    ['7' as unknown as number, 0n],
  ] as const
  for (const [count, quota] of rows) {
    t.equal(price.cost({ input: count }), quota, String(count))
    t.equal(price.cost({ input: count, output: 10 }), quota + 10n)
    t.equal(recompute(price.explain({ input: count })), quota)
    t.equal(price.cost({ input: 1, serverTools: { unknown: count } }), 1n)
  }
})

t.test('a charge beyond reason stops at the largest exact whole number', async (t) => {
  const price = priceWith({ modelRatio: '{"m":999999999999}' })
  const usage = { input: 100_000_000, output: 100_000_000 }
  t.equal(price.cost(usage), 9_007_199_254_740_991n)
  t.equal(price.hold(usage), 9_007_199_254_740_991n)
  t.equal(recompute(price.explain(usage)), 9_007_199_254_740_991n)
})

t.test('the snapshot holds every input and step, and no more', async (t) => {
  const price = priceWith({ ...full, groupRatio: '{"default":0.95}' })
  t.strictSame(price.explain({ input: 1000, cacheRead: 200, output: 333, reasoning: 100 }), {
    price_model: 'm',
    price_table: 'v1',
    billing_mode: 'ratio',
    price_group: 'default',
    group_ratio: 0.95,
    model_ratio: 1,
    cache_ratio: 0.1,
    completion_ratio: 4,
    counts: { input: 1000, cacheRead: 200, output: 333 },
    amounts: { input: '950', cacheRead: '19', output: '1265.4' },
    sum: '2234.4',
    quota: 2234,
  })
  t.strictSame(price.explain({ input: 1, serverTools: { web_search: 2 } }).tool_surcharges, {
    web_search: { calls: 2, price: 25, amount: '23750' },
  })
  t.strictSame(price.explain({}).counts, {})
  t.equal(price.explain({}).quota, 0)
})

t.test('a ratio no double holds stands in the snapshot as text', async (t) => {
  const ratio = '0.123456789012345678901234'
  const price = priceWith({ modelRatio: `{"m":${ratio}}` })
  const snapshot = price.explain({ input: 1_000_000 })
  t.equal(snapshot.model_ratio, ratio)
  t.equal(recompute(snapshot), 123_457n)
  t.equal(priceWith({ modelRatio: '{"m":0.1}' }).explain({ input: 1 }).model_ratio, 0.1)
})

t.test('a snapshot that is none is refused', async (t) => {
  t.throws(() => recompute({}), RangeError)
  t.throws(() => recompute({ billing_mode: 'ratio', group_ratio: 1 }), RangeError)
  const odd = { billing_mode: 'ratio', group_ratio: 1, model_ratio: 1, counts: { wings: 2 } }
  t.throws(() => recompute(odd), RangeError)
})

const ratioText = fc.oneof(
  fc.constantFrom('0', '1', '0.1', '1.25', '8.333333333333', '0.075', '1e-7', '37.5'),
  fc.tuple(fc.nat(999), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
)
const count = fc.oneof(fc.nat(5), fc.nat(10_000), fc.nat(100_000_000))
const usage: fc.Arbitrary<Usage> = fc.record(
  {
    input: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    inputImage: count,
    inputAudio: count,
    output: count,
    outputImage: count,
    outputAudio: count,
    serverTools: fc.record(
      { web_search: fc.nat(20), file_search: fc.nat(20) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)
interface Model {
  readonly ratios: readonly string[]
  readonly group: string
  readonly price: Price
}
const model: fc.Arbitrary<Model> = fc
  .tuple(fc.array(ratioText, { minLength: 7, maxLength: 7 }), ratioText)
  .map(([ratios, group]) => {
    const map = (index: number) => `{"m":${ratios[index]}}`
    const price = priceWith({
      modelRatio: map(0),
      completionRatio: map(1),
      cacheRatio: map(2),
      createCacheRatio: map(3),
      imageRatio: map(4),
      audioRatio: map(5),
      audioCompletionRatio: map(6),
      toolPrices: '{"web_search":10,"file_search":2.5}',
      groupRatio: `{"default":${group}}`,
    })
    return { ratios, group, price }
  })

/** The formula as written down, in fractions of 10^80, with none of the shortcuts. */
function byFormula({ ratios, group }: Model, given: Usage): bigint {
  const [base, completion, read, write, image, audio, audioOut] = ratios.map(decimal)
  const one = decimal('1')
  const weighed = [
    [given.input, one, one],
    [given.cacheRead, read!, one],
    [given.cacheWrite5m, write!, one],
    [given.cacheWrite1h, write!, decimal('1.6')],
    [given.inputImage, image!, one],
    [given.inputAudio, audio!, one],
    [given.output, completion!, one],
    [given.outputImage, completion!, one],
    [given.outputAudio, audio!, audioOut!],
  ] as const
  let sum = 0n
  for (const [tokens = 0, weight, more] of weighed) {
    const each = times(times(times(weight, more), base!), decimal(group))
    sum += each.units * 10n ** BigInt(80 - each.scale) * BigInt(tokens)
  }
  const { web_search: web = 0, file_search: file = 0 } = given.serverTools ?? {}
  const groupUnits = decimal(group).units * 10n ** BigInt(80 - decimal(group).scale)
  sum += groupUnits * BigInt(web * 5000 + file * 1250)
  const half = (sum * 2n + 10n ** 80n) / (2n * 10n ** 80n)
  const anything = weighed.some(([tokens = 0]) => tokens > 0)
  const priced = base!.units > 0n && decimal(group).units > 0n
  if (half > 9_007_199_254_740_991n) return 9_007_199_254_740_991n
  return half === 0n && (sum > 0n || (anything && priced)) ? 1n : half
}

t.test('cost is the written formula, and its snapshot gives the same charge', async (t) => {
  fc.assert(
    fc.property(model, usage, (made, given) => {
      const charged = made.price.cost(given)
      t.equal(charged, byFormula(made, given))
      const snapshot: JsonObject = JSON.parse(JSON.stringify(made.price.explain(given)))
      t.equal(BigInt(snapshot.quota as number), charged)
      t.equal(recompute(snapshot), charged)
    }),
    { numRuns: 500 },
  )
})

t.test('what is set aside covers any usage within it', async (t) => {
  fc.assert(
    fc.property(model, usage, fc.double({ min: 0, max: 1, noNaN: true }), (made, most, part) => {
      const within = Object.fromEntries(
        Object.entries(most).map(([name, value]) => [
          name,
          typeof value === 'number' ? Math.floor(value * part) : value,
        ]),
      )
      const covered = made.price.hold(most)
      t.ok(covered >= made.price.cost(most))
      t.ok(covered >= made.price.cost(within))
      t.ok(made.price.cost(within) <= made.price.cost(most), 'more never costs less')
    }),
    { numRuns: 300 },
  )
})
