/** What upstreams charge by the terms of a channel: exact, in billionths of a USD, by the arithmetic of the price list. */
import t from 'tap'
import type { Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { CostTerms } from '../../../../kernel/contract/line/money.js'
import { checkedCostTerms } from '../../../../plugins/services/pricing/cost-terms.js'
import { tableWith } from './prices.js'

const table = tableWith(
  {
    modelRatio: '{"m": 1.25, "seldom": 0.0000001}',
    completionRatio: '{"m": 4}',
    cacheRatio: '{"m": 0.1}',
    audioRatio: '{"m": 20}',
    modelPrice: '{"drawn": 0.04}',
    taskRateCards: '{"clip": {"unit": "second", "minimum": "4", "step": "2", "price": "0.1"}}',
    groupRatio: '{"default": 3}',
    toolPrices: '{"web_search": 10}',
    freeModels: '["gratis"]',
  },
  '1',
)

function cost(terms: CostTerms | undefined, usage: Usage, names: object = {}) {
  const query = { terms, requestedModel: 'm', upstreamModel: 'm', ...names }
  return table.upstreamCost?.(query, usage)
}

const terms = (value: JsonObject) => checkedCostTerms(value) ?? undefined

t.test('[BILL-1] a factor is of the list price, whatever the group', async (t) => {
  const usage = { input: 1_000, cacheRead: 2_000, output: 300, inputAudio: 10 }
  // $2.50 a million: 1,000 + 200 + 1,200 + 200 of it.
  t.equal(cost(terms({ factor: '1' }), usage), 6_500_000n)
  t.equal(cost(terms({ factor: '0.8' }), usage), 5_200_000n)
  t.equal(cost(terms({ factor: '0' }), usage), 0n)
  t.equal(cost(undefined, usage), undefined)
})

t.test(
  '[BILL-1] one token of a cheap model is not rounded to nothing, and nothing is 0',
  async (t) => {
    t.equal(cost(terms({ factor: '1' }), { input: 1 }), 2_500n)
    t.equal(cost(terms({ factor: '1' }), {}), 0n)
    const seldom = { upstreamModel: 'seldom' }
    t.equal(cost(terms({ factor: '1' }), { input: 2_499 }, seldom), 0n, '0.4998 billionths')
    t.equal(cost(terms({ factor: '1' }), { input: 2_500 }, seldom), 1n, 'half up')
  },
)

t.test('[BILL-1] huge and tiny factors stay exact and within bounds', async (t) => {
  t.equal(cost(terms({ factor: '0.000000000001' }), { input: 1_000_000 }), 0n)
  t.equal(cost(terms({ factor: '0.000000001' }), { input: 1_000_000 }), 3n)
  t.equal(cost(terms({ factor: '1.000000000000000000001' }), { input: 1_000_000 }), 2_500_000_000n)
  const most = cost(terms({ factor: '999999999999' }), { input: 1_000_000 })
  t.equal(most, BigInt(Number.MAX_SAFE_INTEGER))
})

t.test('[BILL-1] the upstream model has the price, and its own list goes before', async (t) => {
  const own = terms({ factor: 2, models: { mapped: { model_ratio: 0.5, completion_ratio: '2' } } })
  const usage = { input: 100, output: 10 }
  t.equal(cost(own, usage, { upstreamModel: 'mapped' }), 120_000n, 'its own price, no factor')
  t.equal(cost(own, usage), 2n * 350_000n)
  t.equal(cost(own, usage, { upstreamModel: 'deploy-1' }), 2n * 350_000n, 'requested price')
  const list = terms({ models: { mapped: { model_price: '0.002' } } })
  t.equal(cost(list, usage), undefined, 'nothing is known of what is not listed')
  t.equal(cost(list, usage, { upstreamModel: 'mapped' }), 2_000_000n)
  t.equal(cost(list, { quantity: 3, ...usage }, { upstreamModel: 'mapped' }), 6_000_000n)
})

t.test('[BILL-1] tools, fixed prices and rate cards cost as they are charged', async (t) => {
  const half = terms({ factor: '0.5' })
  t.equal(cost(half, { serverTools: { web_search: 3 } }), 15_000_000n)
  t.equal(cost(half, { quantity: 2 }, { upstreamModel: 'drawn' }), 40_000_000n)
  const clip = { counts: { second: 5 }, dimensions: { unit: 'second' } }
  t.equal(cost(half, clip, { upstreamModel: 'clip' }), 300_000_000n, 'six seconds are billed')
  const none = { requestedModel: 'x', upstreamModel: 'x' }
  t.equal(cost(half, { input: 5 }, none), undefined)
  t.equal(
    cost(half, { input: 5 }, { requestedModel: 'gratis', upstreamModel: 'gratis' }),
    undefined,
  )
  t.equal(cost(half, clip), undefined, 'a ratio is no price of a task')
})

t.test(
  '[BILL-7] [BILL-8] terms are refused as prices are, naming the field and the model',
  async (t) => {
    const refused = (value: JsonObject, reason: RegExp) =>
      t.throws(() => checkedCostTerms(value), { param: 'cost_terms', message: reason })
    refused({ factor: '-1' }, /below 0/)
    refused({ factor: 'much' }, /not a number/)
    refused({ factor: '1', more: 1 }, /"more"/)
    refused({ models: { m: { model_ratio: -1 } } }, /negative for model_ratio of "m"/)
    refused({ models: { m: {} } }, /a price for "m"/)
    refused({ models: { m: { completion_ratio: 2 } } }, /a price for "m"/)
    refused({ models: { m: { model_ratio: 1, colour: 2 } } }, /"colour" for "m"/)
    refused({ models: { m: { model_ratio: 1 }, ' m': { model_ratio: 2 } } }, /name the same/)
    refused({ models: { m: { rate_card: { unit: 'second' } } } }, /price or rates for "m"/)
    t.equal(checkedCostTerms(null), null)
    t.equal(checkedCostTerms({ factor: '', models: {} }), null)
    t.same(checkedCostTerms({ factor: 0.8 }), { factor: '0.8' })
  },
)

t.test('terms that cannot be read, as of a row from elsewhere, are none', async (t) => {
  t.equal(cost({ factor: 'x' }, { input: 1 }), undefined)
})
