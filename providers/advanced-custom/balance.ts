/** What is left behind the route of credit grants, in the form OpenAI once told it: `{total_available}` in US dollars. */
import type { Inquiry } from '../../kernel/contract/provider.js'
import { amountOf } from '../../kernel/wire/decimal.js'
import { readAmount } from '../../kernel/wire/inquiry.js'
import { upstreamFailure } from '../../kernel/wire/upstream-failure.js'
import { questionBy } from './question.js'

export const balance: Inquiry<string> = {
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
