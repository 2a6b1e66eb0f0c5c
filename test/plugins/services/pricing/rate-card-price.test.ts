/** What media tasks cost by rate cards: units, rows, rounding, and what stands in the log of it. */
import fc from 'fast-check'
import t from 'tap'
import type { Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Price } from '../../../../kernel/contract/line/money.js'
import { recompute } from '../../../../plugins/services/pricing/snapshot.js'
import { priceWith, tableWith } from './prices.js'

const video = {
  unit: 'second',
  rates: [
    { when: { resolution: '1080p', audio: 'true' }, price: '0.20' },
    { when: { resolution: '1080p', audio: '*' }, price: '0.10' },
    { when: { resolution: '720p', audio: '*' }, price: '0.07' },
  ],
  minimum: '5',
  step: '1',
}

function cardPrice(
  card: object,
  groupRatio = '1',
  more: Parameters<typeof priceWith>[0] = {},
): Price {
  return priceWith({
    taskRateCards: JSON.stringify({ m: card }),
    groupRatio: `{"default":${groupRatio}}`,
    ...more,
  })
}

function seconds(quantity: number, dimensions: Readonly<Record<string, string>> = {}): Usage {
  return { quantity, dimensions: { unit: 'second', ...dimensions } }
}

t.test('[BILL-6] a second costs what the row of its resolution and audio says', async (t) => {
  const price = cardPrice(video)
  const rows = [
    [seconds(8, { resolution: '1080p', audio: 'true' }), 800_000n],
    [seconds(8, { resolution: '1080p', audio: 'false' }), 400_000n],
    [seconds(8, { resolution: '1080p' }), 400_000n],
    [seconds(8, { resolution: '720p', audio: 'true' }), 280_000n],
    [seconds(8, { resolution: ' 720P ', fps: '24' }), 280_000n],
    [{ quantity: 8, dimensions: { resolution: '720p' } }, 280_000n],
  ] as const
  for (const [usage, quota] of rows) {
    t.equal(price.cost(usage), quota, JSON.stringify(usage))
    t.equal(price.hold(usage), quota)
    t.equal(recompute(price.explain(usage)), quota)
  }
})

t.test('[BILL-6] a minimum and a step bill more units than were made', async (t) => {
  const rows = [
    [{}, 0.004, '0.004', 140n],
    [{ minimum: '5' }, 0.004, '5', 175_000n],
    [{ minimum: '5' }, 5, '5', 175_000n],
    [{ minimum: '5' }, 5.005, '5.005', 175_175n],
    [{ step: '1' }, 5.005, '6', 210_000n],
    [{ step: '1' }, 5, '5', 175_000n],
    [{ step: '5' }, 5.000001, '10', 350_000n],
    [{ step: '0.5' }, 5.1, '5.5', 192_500n],
    [{ step: '0.3' }, 1, '1.2', 42_000n],
    [{ minimum: '5', step: '2' }, 1, '6', 210_000n],
    [{ minimum: '0', step: '1' }, 0.2, '1', 35_000n],
  ] as const
  for (const [rules, quantity, units, quota] of rows) {
    const price = cardPrice({ unit: 'second', price: '0.07', ...rules })
    const name = `${quantity} with ${JSON.stringify(rules)}`
    t.equal(price.cost(seconds(quantity)), quota, name)
    const { rate_card } = price.explain(seconds(quantity)) as { rate_card: JsonObject }
    t.equal(String(rate_card.units), units, name)
  }
})

t.test('what binary fractions leave behind is no further second', async (t) => {
  const price = cardPrice({ unit: 'second', price: '1', step: '1' })
  t.equal(price.cost(seconds(0.1 + 0.2 + 4.7)), 2_500_000n)
  t.equal(price.cost(seconds(5.0000001)), 2_500_000n)
})

t.test('[BILL-7] a charge is rounded once, half up, and a hold is rounded up (M19)', async (t) => {
  const rows = [
    ['0.000003', '1', 1, 2n, 2n],
    ['0.000001', '1', 1, 1n, 1n],
    ['0.000001', '1', 3, 2n, 2n],
    ['0.0000009999', '1', 1, 1n, 1n],
    ['0.000002499', '1', 1, 1n, 2n],
    ['0.000001', '0.999', 3, 1n, 2n],
    ['0.07', '0.333333', 1, 11_667n, 11_667n],
    ['0.000000000000000000000001', '1', 1, 1n, 1n],
    ['999999999999', '1', 10_000, 9_007_199_254_740_991n, 9_007_199_254_740_991n],
  ] as const
  for (const [price, ratio, quantity, cost, hold] of rows) {
    const made = cardPrice({ unit: 'second', price }, ratio)
    t.equal(made.cost(seconds(quantity)), cost, `${quantity} at ${price} times ${ratio}`)
    t.equal(made.hold(seconds(quantity)), hold)
    t.equal(recompute(made.explain(seconds(quantity))), cost)
  }
})

t.test('[BILL-6] what the card does not know is refused by dimension and value', async (t) => {
  const price = cardPrice(video)
  const modes = cardPrice({
    unit: 'task',
    rates: [
      { when: { mode: 'std', audio: 'true' }, price: '0.3' },
      { when: { mode: 'pro', audio: 'false' }, price: '0.6' },
    ],
  })
  const pieces = cardPrice({ unit: 'piece', price: '0.04' })
  const rows = [
    [price, seconds(8, { resolution: '4k', audio: 'true' }), 'resolution', 'resolution "4k"'],
    [price, seconds(8, { audio: 'true' }), 'resolution', 'no resolution'],
    [price, { dimensions: { resolution: '720p' } }, 'quantity', 'no quantity'],
    [price, { quantity: 2, dimensions: { unit: 'piece' } }, 'unit', 'unit "piece"'],
    [
      modes,
      { dimensions: { mode: 'std', audio: 'false' } },
      'mode',
      'mode "std" and audio "false"',
    ],
    [modes, { dimensions: { mode: 'max', audio: 'loud' } }, 'mode', 'mode "max" and audio "loud"'],
    [
      modes,
      { dimensions: { mode: 'a\u0000b'.repeat(99), audio: 'true' } },
      'mode',
      'mode "a\\u0000b',
    ],
    [pieces, seconds(8), 'unit', 'unit "second"'],
  ] as const
  for (const [made, usage, param, words] of rows) {
    for (const ask of ['hold', 'cost', 'explain'] as const) {
      const refusal = t.throws(() => made[ask](usage), { code: 'model_price_error', param })
      t.match((refusal as Error | undefined)?.message, words)
      t.match((refusal as Error | undefined)?.message, '"m"')
    }
  }
})

t.test('a usage without a quantity or dimensions is of one piece, and of no seconds', async (t) => {
  const tokens = { input: 5, output: 7 }
  t.equal(cardPrice({ unit: 'piece', price: '0.04' }).hold(tokens), 20_000n)
  t.equal(cardPrice({ unit: 'piece', price: '0.04' }).cost(tokens), 20_000n)
  t.throws(() => cardPrice({ unit: 'second', price: '0.04' }).hold(tokens), /no quantity/)
})

t.test('what is made as a whole costs the same whatever its length', async (t) => {
  const price = cardPrice({ unit: 'task', price: '0.5', minimum: '1', step: '1' })
  t.equal(price.cost(seconds(15)), 250_000n)
  t.equal(price.cost({ dimensions: { mode: 'pro' } }), 250_000n)
  t.equal(price.cost({ quantity: 3, dimensions: { unit: 'piece' } }), 250_000n)
  const pieces = cardPrice({ unit: 'piece', price: '0.5' })
  t.equal(pieces.cost({ quantity: 3, dimensions: { unit: 'piece' } }), 750_000n)
})

t.test('nothing made is nothing charged, whatever the minimum', async (t) => {
  const price = cardPrice({ unit: 'second', price: '0.07', minimum: '5' })
  for (const usage of [{}, { quantity: 0 }, seconds(0), { quantity: 0, output: 3 }]) {
    t.equal(price.cost(usage), 0n, JSON.stringify(usage))
    t.equal(price.explain(usage).quota, 0)
    t.notOk('rate_card' in price.explain(usage))
    t.equal(recompute(price.explain(usage)), 0n)
  }
  t.equal(price.hold(seconds(0)), 175_000n, 'set aside before anything is made')
})

t.test(
  '[BILL-7] absurd quantities are bounded, and the log says what was stated (M21)',
  async (t) => {
    const price = cardPrice({ unit: 'second', price: '1' })
    const rows = [
      [-5, 500_000n, '-5'],
      [Number.NaN, 500_000n, 'NaN'],
      [Number.POSITIVE_INFINITY, 500_000n, 'Infinity'],
      [1e9, 5_000_000_000n, '1000000000'],
      ['7' as unknown as number, 500_000n, '7'],
      [10_000, 5_000_000_000n, undefined],
    ] as const
    for (const [quantity, quota, stated] of rows) {
      t.equal(price.cost(seconds(quantity)), quota, String(quantity))
      t.equal(price.hold(seconds(quantity)), quota)
      const snapshot = price.explain(seconds(quantity)) as { rate_card: JsonObject }
      t.equal(snapshot.rate_card.stated_quantity, stated)
      t.equal(recompute(snapshot), quota)
    }
  },
)

t.test('group ratios and rows of 0 cost nothing, and free models look at no card', async (t) => {
  const usage = seconds(8, { resolution: '720p' })
  const gratis = cardPrice(video, '0')
  t.equal(gratis.cost(usage), 0n)
  t.equal(gratis.hold(usage), 0n)
  t.ok(gratis.free)
  t.throws(() => gratis.hold(seconds(8, { resolution: '4k' })), { code: 'model_price_error' })
  const none = cardPrice({ unit: 'second', price: '0' })
  t.equal(none.hold(usage), 0n)
  t.ok(none.free)
  const some = cardPrice({
    unit: 'second',
    rates: [
      { when: { resolution: '720p' }, price: '0' },
      { when: { resolution: '1080p' }, price: '1' },
    ],
  })
  t.equal(some.cost(usage), 0n, 'its row costs nothing, so it is not 1')
  t.notOk(some.free)
  const free = cardPrice(video, '1', { freeModels: '["m"]' })
  t.equal(free.cost(seconds(8, { resolution: '4k' })), 0n)
  t.equal(free.explain(usage).billing_mode, 'free')
})

t.test('[BILL-6] a fixed price goes before a card, a card before a ratio', async (t) => {
  const usage = seconds(15, { resolution: '1080p' })
  const fixed = cardPrice(video, '1', { modelPrice: '{"m":2.5}', modelRatio: '{"m":1}' })
  t.equal(fixed.cost(usage), 1_250_000n, 'per task, never times seconds')
  t.equal(fixed.hold(usage), 1_250_000n)
  t.equal(fixed.explain(usage).billing_mode, 'price')
  const pieces = { quantity: 3, dimensions: { unit: 'piece', resolution: '4k' } }
  t.equal(fixed.cost(pieces), 3_750_000n, 'per piece')
  t.equal(fixed.cost({ quantity: 3 }), 3_750_000n, 'as pictures always were')
  t.equal(fixed.cost({ dimensions: { mode: 'pro' } }), 1_250_000n)
  t.equal(fixed.cost(seconds(0)), 0n)
  const card = cardPrice(video, '1', { modelRatio: '{"m":1}' })
  t.equal(card.explain(usage).billing_mode, 'card')
  t.equal(tableWith({ taskRateCards: '{"x":{"unit":"task","price":1}}' }).priced('x'), true)
})

t.test('[BILL-6] a ratio is no price of a task that reports no tokens', async (t) => {
  const ratio = priceWith({ modelRatio: '{"m":1}' })
  t.throws(() => ratio.hold(seconds(8)), { code: 'model_price_error', param: 'model' })
  t.throws(() => ratio.cost(seconds(8)), { code: 'model_price_error' })
  t.equal(ratio.cost(seconds(0)), 0n, 'nothing was made')
  t.equal(ratio.cost({ ...seconds(8), output: 40 }), 40n, 'some tasks are paid by tokens')
  t.equal(ratio.hold({ ...seconds(8), output: 40 }), 40n)
})

t.test('tools that were called cost what they cost elsewhere', async (t) => {
  const price = cardPrice({ unit: 'task', price: '0.1' }, '0.5', {
    toolPrices: '{"web_search":10}',
  })
  const usage = { quantity: 1, serverTools: { web_search: 2 } }
  t.equal(price.cost(usage), 30_000n)
  t.equal(recompute(price.explain(usage)), 30_000n)
})

t.test('the snapshot holds every input and step', async (t) => {
  const price = cardPrice(video, '0.5')
  const usage = seconds(4.5, { resolution: '1080P', audio: 'false', seed: '7' })
  t.strictSame(price.explain(usage), {
    price_model: 'm',
    price_table: 'v1',
    billing_mode: 'card',
    price_group: 'default',
    group_ratio: 0.5,
    rate_card: {
      unit: 'second',
      quantity: 4.5,
      minimum: 5,
      after_minimum: 5,
      step: 1,
      units: 5,
      dimensions: { resolution: '1080P', audio: 'false' },
      rate: 2,
      when: { resolution: '1080p', audio: '*' },
      price: 0.1,
    },
    counts: { units: 5 },
    amounts: { units: '125000' },
    sum: '125000',
    quota: 125_000,
  })
})

t.test('a value that any row takes is not kept at any length', async (t) => {
  const price = cardPrice({ unit: 'task', rates: [{ when: { size: '*' }, price: '1' }] })
  const snapshot = price.explain({ dimensions: { size: 'x'.repeat(1_000_000) } })
  t.ok(JSON.stringify(snapshot).length < 1_000)
})

t.test('names that every object has are no dimensions of a usage', async (t) => {
  const price = cardPrice({ unit: 'task', rates: [{ when: { constructor: 'x' }, price: '1' }] })
  t.throws(() => price.hold({ dimensions: {} }), /no constructor/)
  t.equal(price.hold({ dimensions: { constructor: 'x' } as never }), 500_000n)
})

const amount = fc.oneof(
  fc.constantFrom('0', '1', '0.07', '0.000001', '0.0000009', '1.5', '12.345678'),
  fc.tuple(fc.nat(99), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
)
const step = fc.option(fc.constantFrom('1', '0.5', '5', '0.3', '60'), { nil: undefined })
const made = fc.record({
  unit: fc.constantFrom('second', 'piece', 'task'),
  low: amount,
  high: amount,
  group: amount,
  minimum: fc.option(amount, { nil: undefined }),
  step,
})
const quantity = fc.oneof(fc.nat(20), fc.double({ min: 0, max: 12_000, noNaN: true }))

function priceMade({ unit, low, high, group, ...rules }: { [key: string]: string | undefined }) {
  const rates = [
    { when: { mode: 'pro' }, price: high },
    { when: { mode: '*' }, price: low },
  ]
  return cardPrice({ unit, rates, ...rules }, group)
}

t.test(
  '[BILL-6] [BILL-7] more units never cost less, a hold covers its charge, and the log recomputes it',
  async (t) => {
    fc.assert(
      fc.property(
        made,
        quantity,
        quantity,
        fc.constantFrom('pro', 'std'),
        (card, one, other, mode) => {
          const price = priceMade(card)
          const usage = (units: number) => ({ quantity: units, dimensions: { mode } })
          const [less, more] = one < other ? [one, other] : [other, one]
          t.ok(price.cost(usage(less)) <= price.cost(usage(more)))
          t.ok(price.hold(usage(less)) <= price.hold(usage(more)))
          t.ok(price.hold(usage(more)) >= price.cost(usage(more)))
          const snapshot: JsonObject = JSON.parse(JSON.stringify(price.explain(usage(more))))
          t.equal(recompute(snapshot), price.cost(usage(more)))
          t.equal(BigInt(snapshot.quota as number), price.cost(usage(more)))
        },
      ),
      { numRuns: 500 },
    )
  },
)

/** The rule as written down: units at least the minimum, up to whole steps, all of it in fractions of 10^12. */
function byRule(card: { [key: string]: string | undefined }, count: number, mode: string): bigint {
  const scaled = (text: string) => {
    const [whole, part = ''] = text.split('.')
    return BigInt(whole + part.padEnd(12, '0'))
  }
  const counted = card.unit === 'task' ? 1 : Math.min(count, 10_000)
  const least = scaled(card.minimum ?? '0')
  let units = scaled(counted.toFixed(6))
  if (units < least) units = least
  const each = scaled(card.step ?? '0.000000000001')
  units = ((units + each - 1n) / each) * each
  const price = scaled((mode === 'pro' ? card.high : card.low)!)
  const exact = units * price * scaled(card.group!) * 500_000n
  const one = 10n ** 36n
  const rounded = (exact * 2n + one) / (one * 2n)
  if (count === 0) return 0n
  return rounded === 0n && price > 0n && scaled(card.group!) > 0n ? 1n : rounded
}

t.test('[BILL-7] cost is the written rule, in whole numbers throughout', async (t) => {
  fc.assert(
    fc.property(made, quantity, fc.constantFrom('pro', 'std'), (card, count, mode) => {
      const price = priceMade(card)
      t.equal(
        price.cost({ quantity: count, dimensions: { mode } }),
        byRule(card, count, mode),
        JSON.stringify([card, count, mode]),
      )
    }),
    { numRuns: 500 },
  )
})
