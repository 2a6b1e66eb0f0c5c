import type { RateHeaders } from '../../contract/services/ports.js'

/** Of several buckets the tightest is reported (LIMIT-1). */
export class LowestRateLimit {
  headers: RateHeaders = {}

  async take(taken: Promise<RateHeaders> | undefined): Promise<void> {
    if (taken === undefined) return
    const reported = await taken
    const left = (headers: RateHeaders) => Number(headers['x-ratelimit-remaining'] ?? Infinity)
    if (left(reported) < left(this.headers)) this.headers = reported
  }
}
