/** What others see of the relay's own rate limits: off by default, per user, group and token (LIMIT-6). */
export interface Throttle {
  /**
   * Counts a relay request before anything is planned. Rejects with `rate_limit_exceeded`, and the headers of LIMIT-1,
   * where a limit is used up. Undefined, at once, where no limit is set.
   */
  admit(caller: ThrottledCaller): Promise<void> | undefined
  /** The request of an admitted caller was answered well: limits on successes count it. */
  succeeded(caller: ThrottledCaller): void
}

export interface ThrottledCaller {
  readonly userId: number
  /** The user's own group. */
  readonly userGroup: string
  /** Absent: the Playground. */
  readonly tokenId?: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    throttle: Throttle
  }
}
