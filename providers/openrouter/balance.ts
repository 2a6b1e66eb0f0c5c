/**
 * What is left to this key: of its own limit where it has one (`GET /v1/key`), else of the credits of its account
 * (`GET /v1/credits`), which the service may send to management keys only.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { amountOf, decimalOf, negated, sumOf } from '../../kernel/toolkit/json/index.js'
import {
  bearerGet,
  type Read,
  readAmount,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

const creditsPage = 'credits'

export const balance: UpstreamQuery<string> = {
  request({ baseUrl }, credentials, { page }) {
    const path = page === creditsPage ? '/v1/credits' : '/v1/key'
    return bearerGet(upstreamUrl(baseUrl, path), credentials)
  },
  read: (answer) =>
    readAmount(answer, fail, ({ data }) => (isObject(data) ? pick(data) : undefined)),
}

function pick(data: JsonObject): Read<string> | undefined {
  const bought = amountOf(data.total_credits)
  const used = amountOf(data.total_usage)
  if (bought !== undefined && used !== undefined) return left(sumOf(bought, negated(used)))
  // A key without a limit of its own: the first part of the sum is nothing.
  if (data.limit_remaining === null) return { value: '0', next: creditsPage }
  return left(decimalOf(data.limit_remaining))
}

function left(value: string | undefined): Read<string> | undefined {
  return value === undefined ? undefined : { value }
}
