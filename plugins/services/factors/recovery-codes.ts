/**
 * Recovery codes: ten at a time, 50 random bits each, written as `xxxxx-xxxxx` in letters that are not mistaken for
 * one another. Kept as a keyed hash, since 50 bits alone could be tried out by who has the table.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const count = 10
const length = 10
const shape = new RegExp(`^[${alphabet}]{${length}}$`)
const lookalikes: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' }

export interface RecoveryCodes {
  /** New ones in place of all before. */
  renew(userId: number, trx: Knex.Transaction): Promise<readonly string[]>
  /** Uses a code up, as a person typed it. False: the user has none such. */
  use(userId: number, typed: string, knex: Knex): Promise<boolean>
  left(userId: number, knex: Knex): Promise<number>
  remove(userId: number, trx: Knex.Transaction): Promise<void>
}

/** @param key what the hashes are keyed with */
export function recoveryCodes(key: Buffer): RecoveryCodes {
  function hashOf(userId: number, letters: string): Buffer {
    return createHmac('sha256', key).update(`${userId}:${letters}`).digest()
  }

  async function remove(userId: number, trx: Knex.Transaction): Promise<void> {
    await trx('recovery_codes').where('user_id', userId).delete()
  }

  return {
    async renew(userId, trx) {
      const codes = Array.from({ length: count }, drawn)
      await remove(userId, trx)
      const rows = codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) }))
      await trx('recovery_codes').insert(rows)
      return codes.map((code) => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`)
    },
    async use(userId, typed, knex) {
      const letters = lettersOf(typed)
      if (!shape.test(letters)) return false
      const spent = await knex('recovery_codes')
        .where({ user_id: userId, code_hash: hashOf(userId, letters) })
        .delete()
        .returning('user_id')
      return spent.length > 0
    },
    async left(userId, knex) {
      const [row] = await knex('recovery_codes').where('user_id', userId).count('* as left')
      return Number(row?.left)
    },
    remove,
  }
}

/** 32 letters divide 256, so that no letter comes more often than another. */
function drawn(): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
}

function lettersOf(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '')
  return plain.replace(/[oil]/g, (letter) => lookalikes[letter] ?? letter)
}
