import t from 'tap'
import { listPrices } from '../../../../plugins/services/pricing/default-prices.js'
import { defaultTexts } from '../../../../plugins/services/pricing/defaults.js'
import { priceOptions } from '../../../../plugins/services/pricing/price-maps.js'
import { priceWith, type Texts } from './prices.js'

const byOption = defaultTexts()
const texts: Texts = Object.fromEntries(
  Object.entries(priceOptions).map(([field, { option }]) => [field, byOption[option]]),
)

t.test('[BILL-7] [BILL-8] the defaults keep the rules for prices', async (t) => {
  for (const { option, read } of Object.values(priceOptions)) {
    const text = byOption[option]
    if (text !== undefined) t.doesNotThrow(() => read(option, text), option)
  }
  const models = listPrices.flatMap((price) => price.models)
  t.ok(models.length >= 60)
  t.equal(new Set(models).size, models.length, 'each model stands once')
})

t.test('a million tokens cost what the list states, 500,000 quota to the dollar', async (t) => {
  const million = 1_000_000
  for (const price of listPrices) {
    const quota = (usd: string) => Math.round(Number(usd) * 500_000)
    for (const model of price.models) {
      const { cost } = priceWith(texts, model)
      const charged = (usage: object) => Number(cost(usage))
      t.equal(charged({ input: million }), quota(price.input), model)
      if (price.output) t.equal(charged({ output: million }), quota(price.output), model)
      if (price.cacheRead) t.equal(charged({ cacheRead: million }), quota(price.cacheRead), model)
      if (price.cacheWrite) {
        t.equal(charged({ cacheWrite5m: million }), quota(price.cacheWrite), model)
      }
      if (price.imageInput)
        t.equal(charged({ inputImage: million }), quota(price.imageInput), model)
      if (price.audioInput)
        t.equal(charged({ inputAudio: million }), quota(price.audioInput), model)
      if (price.audioOutput) {
        t.equal(charged({ outputAudio: million }), quota(price.audioOutput), model)
      }
    }
  }
})

t.test('known models have the prices people expect', async (t) => {
  const usage = { input: 1_000_000, output: 1_000_000 }
  t.equal(priceWith(texts, 'gpt-4o').cost(usage), 6_250_000n)
  t.equal(priceWith(texts, 'claude-sonnet-4-5').cost(usage), 9_000_000n)
  const search = { serverTools: { web_search_preview: 1000 } }
  t.equal(priceWith(texts, 'gpt-4o-mini').cost(search), 12_500_000n)
  t.equal(priceWith(texts, 'o3').cost(search), 5_000_000n)
})
