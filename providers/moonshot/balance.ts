/**
 * What is left of the account (`GET /v1/users/me/balance`). The answer names no currency: the international platform
 * keeps dollars, the one in China does not, and the coding plan is paid in another way.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { decimalOf } from '../../kernel/toolkit/json/index.js'
import {
  bearerGet,
  normalBase,
  type Read,
  readAmount,
} from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

const inDollars = 'https://api.moonshot.ai'

export const balance: UpstreamQuery<string> = {
  request({ baseUrl }, credentials) {
    if (!URL.canParse(baseUrl) || normalBase(baseUrl) !== inDollars) {
      const reason = `Only ${new URL(inDollars).host} keeps its balances in US dollars.`
      throw new Refusal('invalid_request', { reason, param: 'base_url' })
    }
    return bearerGet(`${inDollars}/v1/users/me/balance`, credentials)
  },
  read: (answer) => readAmount(answer, fail, pick),
}

/** Below zero it is a debt, and shown as one. */
function pick({ data, status }: JsonObject): Read<string> | undefined {
  const value = isObject(data) && status === true ? decimalOf(data.available_balance) : undefined
  return value === undefined ? undefined : { value }
}
