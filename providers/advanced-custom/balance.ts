/** What is left behind the route of credit grants, in the form OpenAI once used: `{total_available}` in US dollars. */
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { amountOf } from '../../kernel/toolkit/json/index.js'
import { readAmount } from '../../kernel/toolkit/provider/index.js'
import { questionBy } from './question.js'

export const balance: UpstreamQuery<string> = {
  request: questionBy('/v1/dashboard/billing/credit_grants'),
  read: (answer) =>
    readAmount(
      answer,
      (status, headers, head) => upstreamFailure({ status, headers, head }),
      ({ total_available: total }) => {
        const value = amountOf(total)
        return value === undefined ? undefined : { value }
      },
    ),
}
