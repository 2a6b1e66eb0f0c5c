/** What others see of pricing: the table in force now. A running request keeps the one it was admitted with. */
import type { PriceTable } from '../../../kernel/contract/exchange.js'

export interface Pricing {
  current(): PriceTable
  /** True when the model has a price of its own, or is an explicit free model. */
  priced(model: string): boolean
  /** Groups that have a ratio. */
  groups(): readonly string[]
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    pricing: Pricing
  }
}
