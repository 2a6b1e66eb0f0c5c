/** Passkeys of accounts whose password is switched off: the last way in is not taken away by its owner. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Passkeys } from './factors.js'
import type { PasskeyRows } from './passkey-rows.js'

const rootRole = 100
const enoughFor = (role: number) => (role >= rootRole ? 2 : 1)

export function guardedPasskeys(
  rows: PasskeyRows,
): Pick<Passkeys, 'delete' | 'deleteAll' | 'requireEnough'> {
  /** Nobody else adds, removes or switches before this transaction ends. */
  async function locked(userId: number, trx: Knex.Transaction): Promise<Owner> {
    const owner = await trx('users').where('id', userId).forUpdate().first('role', 'password_off')
    return owner ?? { role: 0, password_off: false }
  }

  async function requireEnoughFor(role: number, userId: number, trx: Knex.Transaction) {
    const [row] = await trx('passkeys').where('user_id', userId).count('* as left')
    if (Number(row?.left) >= enoughFor(role)) return
    const needed = enoughFor(role) === 1 ? 'a passkey' : 'two passkeys'
    const reason = `Without its password the account needs ${needed}: add one first, or allow the password again.`
    throw new Refusal('conflict', { reason })
  }

  return {
    async requireEnough(userId, trx) {
      const { role } = await locked(userId, trx)
      await requireEnoughFor(role, userId, trx)
    },
    async delete(userId, id, trx) {
      const { role, password_off } = await locked(userId, trx)
      const removed = await rows.remove(userId, id, trx)
      if (removed && password_off) await requireEnoughFor(role, userId, trx)
      return removed
    },
    async deleteAll(userId, trx) {
      const { role, password_off } = await locked(userId, trx)
      await rows.removeAll(userId, trx)
      if (password_off) await requireEnoughFor(role, userId, trx)
    },
  }
}

interface Owner {
  readonly role: number
  readonly password_off: boolean
}
