/** Codes users invite others with: short, unique, kept for good. */
import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../identity/index.js'

type CodeStore = Pick<Identity['users'], 'setInvitationCode'>

/** Letters and digits that no one mistakes for another. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
/** Lengths that are tried in turn: a code somebody else has is no fault, only a reason to draw again. */
const lengths = [6, 6, 6, 8, 10, 12] as const
const shape = /^[A-Za-z0-9]{4,32}$/

/** The user's code, made where there is none. Callers at the same time get the same. */
export async function invitationCodeOf(
  userId: number,
  users: CodeStore,
  trx: Knex.Transaction,
): Promise<string> {
  const person = await trx('users')
    .where({ id: userId })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('aff_code')
  if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
  return person.aff_code ?? drawn(userId, users, trx)
}

async function drawn(userId: number, users: CodeStore, trx: Knex.Transaction): Promise<string> {
  for (const length of lengths) {
    const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
    if (await isFree(trx, (inner) => users.setInvitationCode(userId, code, inner))) return code
  }
  throw new Error('no invitation code is free')
}

/** Within a savepoint, so that a code taken meanwhile does not end what goes on around it. */
async function isFree(
  trx: Knex.Transaction,
  keep: (inner: Knex.Transaction) => Promise<void>,
): Promise<boolean> {
  try {
    await trx.transaction(keep)
    return true
  } catch (error) {
    const taken =
      error instanceof Error && 'constraint' in error && error.constraint === 'users_aff_code_key'
    if (taken) return false
    throw error
  }
}

/** Who invites with this code and may still do so. */
export async function inviterOf(
  code: string | undefined,
  trx: Knex.Transaction,
): Promise<number | undefined> {
  if (code === undefined || !shape.test(code)) return undefined
  const inviter = await trx('users')
    .where({ aff_code: code, status: 1 })
    .whereNull('deleted_at')
    .first('id')
  return inviter?.id
}
