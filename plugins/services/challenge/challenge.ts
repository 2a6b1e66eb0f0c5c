/** What others see of the bot challenge (AUTH-7). */
import type { ManagementRequest } from '../../../kernel/contract/management.js'

export interface Challenge {
  /** Undefined: no challenge is asked for. */
  siteKey(): string | undefined
  /**
   * Does nothing while the challenge is off. Else rejects with `challenge_required` unless the request brings a token
   * (`X-Turnstile-Token`, or query `turnstile`) the verifier confirms; `challenge_unavailable` where it cannot tell.
   */
  require(request: Pick<ManagementRequest, 'headers' | 'query' | 'address'>): Promise<void>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    challenge: Challenge
  }
}
