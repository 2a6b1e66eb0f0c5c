/**
 * What is left at a server made like OpenAI's: its limit, and from a second call what was used of it, which is reported in
 * cents. OpenAI itself refuses both to API keys.
 */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { amountOf, movedDown, negated } from '../../kernel/toolkit/json/index.js'
import { bearerGet, readAmount, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { payerHeaders } from './call.js'
import { fail } from './fail.js'

const usagePage = 'usage'
const dayMs = 24 * 3_600_000
/** The longest time that may be queried. */
const daysMax = 99

/** Two parts whose sum is what is left. */
export const balance: UpstreamQuery<string> = {
  request(channel, credentials, { now, page }) {
    const path = page === usagePage ? `/usage?${daysUntil(now)}` : '/subscription'
    const url = upstreamUrl(channel.baseUrl, `/v1/dashboard/billing${path}`)
    return bearerGet(url, credentials, payerHeaders(channel))
  },
  read: (answer) =>
    readAmount(answer, fail, (body) => {
      const used = amountOf(body.total_usage)
      const dollars = used === undefined ? undefined : movedDown(used, 2)
      if (dollars !== undefined) return { value: negated(dollars) }
      const limit = amountOf(body.hard_limit_usd)
      return limit === undefined ? undefined : { value: limit, next: usagePage }
    }),
}

function daysUntil(now: number): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return `start_date=${day(now - daysMax * dayMs)}&end_date=${day(now + dayMs)}`
}
