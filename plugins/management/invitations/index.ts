/** Inviting others: the caller's code, and the way of their rewards into the wallet (AUTH-6, management/README.md section 3). */
import joi from 'joi'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { invitationCode, transferred } from './responses.js'
import { transferRewards } from './transfer.js'

/** One unit of account (ledger/README.md section 1). */
const quotaMin = 500_000
/** A thousand million units (management/README.md section 5). */
const quotaMax = 1_000_000_000 * quotaMin

const transferForm = joi
  .object({ quota: joi.number().integer().min(quotaMin).max(quotaMax).required() })
  .prefs({ stripUnknown: true })
  .required()

export default function create({
  services,
}: Kit<'database' | 'identity' | 'ledger' | 'registration'>): Management {
  async function transfer(
    request: ManagementRequest<unknown, { readonly quota: number }>,
  ): Promise<Answer> {
    const { userId } = signedIn(request)
    const quota = BigInt(request.body.quota)
    const { moneyKey, moneyPrint, requestId } = request
    const options = { userId, quota, moneyKey, moneyPrint, requestId }
    const { moved, rewards, balance } = await transferRewards(options, services)
    const detail = moved ? `transfer ${quota}` : 'transfer, done before'
    const data = { quota: balance, aff_quota: rewards }
    return { answer: true, data, audit: { object: `user ${userId}`, detail } }
  }

  return {
    routes: {
      code: {
        response: invitationCode,
        handle: (request) => services.registration.invitationCode(signedIn(request).userId),
      },
      transfer: { body: transferForm, response: transferred, handle: transfer },
    },
  }
}
