/** The default list prices as the texts of the price options. */
import { type Decimal, decimal, decimalText, ratioOf } from './decimal.js'
import {
  defaultModelPrices,
  defaultToolPrices,
  type ListPrice,
  listPrices,
} from './default-prices.js'
import { priceOptions } from './price-maps.js'

/** By option key. */
export function defaultTexts(): Readonly<Record<string, string>> {
  return {
    [priceOptions.modelRatio.option]: mapText(({ input }) => ratio(input, usdOfRatioOne)),
    [priceOptions.completionRatio.option]: mapText(({ input, output }) => ratio(output, input)),
    [priceOptions.cacheRatio.option]: mapText(({ input, cacheRead }) => ratio(cacheRead, input)),
    [priceOptions.createCacheRatio.option]: mapText(({ input, cacheWrite }) => {
      return ratio(cacheWrite, input)
    }),
    [priceOptions.imageRatio.option]: mapText(({ input, imageInput }) => ratio(imageInput, input)),
    [priceOptions.audioRatio.option]: mapText(({ input, audioInput }) => ratio(audioInput, input)),
    [priceOptions.audioCompletionRatio.option]: mapText(({ audioInput, audioOutput }) => {
      return ratio(audioOutput, audioInput)
    }),
    [priceOptions.modelPrice.option]: JSON.stringify(defaultModelPrices, null, 2),
    [priceOptions.toolPrices.option]: JSON.stringify(defaultToolPrices, null, 2),
  }
}

/** Ratio 1 is $2 per million tokens. */
const usdOfRatioOne = '2'

/** Where a published price is no round multiple of another. */
const ratioDecimals = 12

function ratio(part: string | undefined, whole: string | undefined): Decimal | undefined {
  if (part === undefined || whole === undefined) return undefined
  return ratioOf(decimal(part), decimal(whole), ratioDecimals)
}

/** One line per model, so that an admin can read it. */
function mapText(ratioIn: (price: ListPrice) => Decimal | undefined): string {
  const lines = listPrices.flatMap((price) => {
    const found = ratioIn(price)
    if (found === undefined) return []
    return price.models.map((model) => `  ${JSON.stringify(model)}: ${decimalText(found)}`)
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`
}
