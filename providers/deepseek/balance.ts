/** What is left of the account (`GET /user/balance`), which may hold more than one currency. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { decimalOf, objectsOf, someText } from '../../kernel/toolkit/json/index.js'
import {
  bearerGet,
  otherCurrency,
  type Read,
  readAmount,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export const balance: UpstreamQuery<string> = {
  request: ({ baseUrl }, credentials) =>
    bearerGet(upstreamUrl(baseUrl, '/user/balance'), credentials),
  read: (answer) => readAmount(answer, fail, pick),
}

/** Dollars, unless all the money is in another currency: then nothing is left that can be shown. */
function pick({ balance_infos: infos }: JsonObject): Read<string> | undefined {
  const held = objectsOf(infos).flatMap(({ currency, total_balance: total }) => {
    const amount = decimalOf(total)
    return amount === undefined ? [] : [{ currency: someText(currency) ?? '', amount }]
  })
  const dollars = held.find(({ currency }) => currency === 'USD')
  const other = held.find(({ currency, amount }) => currency !== 'USD' && amount !== '0')
  if (dollars !== undefined && (dollars.amount !== '0' || other === undefined)) {
    return { value: dollars.amount }
  }
  const reported = other ?? held[0]
  return reported && { failure: otherCurrency(reported.amount, reported.currency) }
}
