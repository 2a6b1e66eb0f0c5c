/** What others see of the limits an API key has of its own: requests and tokens in a minute, and a budget for each period (LIMIT-6). */
import type { KeyUse } from '../../../kernel/contract/line/key-use.js'
import type { Token } from '../../../kernel/contract/line/people.js'

export interface KeyLimits {
  /**
   * Counts a request of a key that has limits. Rejects with `rate_limit_exceeded` and the headers of the limit. `format`: what its
   * client reads.
   */
  admit(token: Token, format: string): Promise<KeyUse | undefined>
  /** Looks for budgets that run out, and notifies their owners. Runs by itself, callable for tests. */
  watchBudgets(): Promise<void>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'key-limits': KeyLimits
  }
}
