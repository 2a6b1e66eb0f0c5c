/** What others see of the fields that upstreams refused. */

export interface Refusals {
  /** Of a channel, last seen first, at most 200; what this process has counted is among them. */
  of(channelId: number): Promise<readonly RefusedField[]>
  /** Forgets those of a channel in every process; resolves with how many there were. */
  clear(channelId: number): Promise<number>
  /** Writes what has been counted so far. Never rejects. */
  flush(): Promise<void>
}

export interface RefusedField {
  /** As the upstream knows it. */
  readonly model: string
  /** Empty: the upstream named none. */
  readonly field: string
  readonly count: number
  /** Unix seconds. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** Of the last refusal. */
  readonly status: number
  /** The upstream's words, masked and cut. */
  readonly message: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    refusals: Refusals
  }
}
