/**
 * One call for an automatic order. What it came to is settled as any other report; where that is not known, the order stays
 * undecided and is charged again.
 */
import type { Log } from '../../../kernel/contract/kit.js'
import type { ChargeResult } from '../../../kernel/contract/payment.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import { misfits } from './alerts.js'
import type { LoadedGateway } from './gateways.js'
import { withoutMandate } from './mandates.js'
import type { OrderNews } from './order-news.js'
import { titleOf } from './price.js'
import { type OrderRow, orderOf } from './rows.js'
import type { Settle } from './settlement.js'

export interface AttemptDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly settle: Settle
  readonly news: OrderNews
  readonly log: Log
}

export interface Attempt {
  readonly row: OrderRow
  /** As the provider calls it. */
  readonly mandate: string
  /** Has `charge`. */
  readonly gateway: LoadedGateway
}

/** Never rejects. */
export async function attempted(
  attempt: Attempt,
  dependencies: AttemptDependencies,
): Promise<void> {
  const { row, mandate, gateway } = attempt
  const { orderNo, amountMinor, currency } = orderOf(row)
  const facts = { gateway: gateway.name, order: orderNo }
  const { log } = dependencies
  try {
    const order = { orderNo, amountMinor, currency, title: titleOf(row.units!), mandate }
    const came = await outcome(await gateway.plugin.charge!(order), attempt, dependencies)
    if (misfits.has(came))
      log.error({ ...facts, verdict: came }, 'a payment does not fit its order')
    else log.info({ ...facts, outcome: came }, 'a payment was requested with its payer away')
  } catch (err) {
    const reason = withoutMandate(mandate, err)
    log.warn({ ...facts, reason }, 'it is not known whether a payment was taken')
  }
}

/** Of what is kept, in a word. */
async function outcome(
  result: ChargeResult,
  { row, mandate }: Attempt,
  { database, settle, news }: AttemptDependencies,
): Promise<string> {
  const { gateway, order_no } = row
  const pending = database.knex('payment_orders').where({ order_no, state: 'pending' })
  switch (result.kind) {
    case 'refused': {
      const reason = persistentText(withoutMandate(mandate, result.reason)).trim()
      const failed = { state: 'failed', reason: reason || 'The payment was refused.' }
      await database.knex.transaction(async (trx) => {
        await pending.transacting(trx).update(failed)
        await news.note(trx, row.user_id)
      })
      return 'refused'
    }
    case 'begun': {
      const { reference } = result
      if (reference !== undefined) await pending.update({ checkout_reference: reference })
      return 'begun'
    }
    default: {
      const notice = { ...result.notice, orderNo: result.notice.orderNo ?? order_no }
      const from = { address: '', requestId: `charge:${order_no}` }
      return (await settle({ gateway, notice, from })).verdict
    }
  }
}
