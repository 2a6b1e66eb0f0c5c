/** The money of media tasks: charged when an upstream accepts one, corrected once when it ends (README section 9). */
import type { Knex } from 'knex'
import type { Database } from '../../../kernel/contract/services/database.js'
import { finalPayload } from './facts.js'
import type { TaskMoney } from './ledger.js'

export function createTaskMoney(database: Database): TaskMoney {
  return {
    async charge(requestId) {
      const { rows } = await database.knex.raw('SELECT billing_task_charge(?) AS charged', [
        requestId,
      ])
      const { charged } = rows[0]
      return charged === null ? undefined : BigInt(charged)
    },
    async final({ requestId, taskId, quota, detail }, trx: Knex.Transaction) {
      const { rows } = await trx.raw('SELECT * FROM billing_task_final(?, ?, ?, ?)', [
        requestId,
        taskId,
        quota === undefined ? null : String(quota),
        finalPayload(detail),
      ])
      const [{ charged, quota: cost, shortfall }] = rows
      return { charged: BigInt(charged), quota: BigInt(cost), shortfall: BigInt(shortfall) }
    },
  }
}
