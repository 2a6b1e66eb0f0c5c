/** What others see of the bot challenge (AUTH-7). */
import type { ManagementRequest } from '../../../kernel/contract/management.js'

export interface Challenge {
  /** Undefined: no challenge is required. */
  siteKey(): string | undefined
  /**
   * Does nothing while the challenge is off. Else rejects with `challenge_required` unless the request brings a token
   * (`X-Turnstile-Token`, or query `turnstile`) the verifier confirms; `challenge_unavailable` where it cannot decide.
   */
  require(request: Pick<ManagementRequest, 'headers' | 'query' | 'address'>): Promise<void>
  /**
   * A challenge that programs solve by themselves, whether the other is on or off: rejects with `work_required` and
   * the header `X-Challenge`, unless the request brings a solution of so many bits or one less, made for this subject,
   * as `X-Challenge-Solution`. A solution counts once.
   */
  work(request: Pick<ManagementRequest, 'headers'>, subject: string, bits: number): Promise<void>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    challenge: Challenge
  }
}
