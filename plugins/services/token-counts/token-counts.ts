/** What others see of counting: how many tokens a request would read, by its upstream's own word. */
import type { Client } from '../../../kernel/contract/client.js'
import type { RequestHints } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import type { Identified } from '../identity/index.js'

export interface TokenCounts {
  /**
   * The upstream's whole answer in the client's format. Undefined where no channel can count, the upstream fails or takes too long:
   * the caller estimates then. Rejects with a `Refusal` where the key may not use the model, or has used up its limits.
   */
  count(request: CountRequest): Promise<JsonObject | undefined>
}

export interface CountRequest {
  readonly caller: Identified
  readonly client: Client
  readonly format: FormatName
  /** The request whose tokens are counted, checked. */
  readonly body: JsonObject
  readonly model: string
  readonly hints?: RequestHints
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'token-counts': TokenCounts
  }
}
