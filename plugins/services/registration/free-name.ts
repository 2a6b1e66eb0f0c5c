/** User names for people another place sends: the name they have there, where it fits and is free. */
import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from '../identity/index.js'

/** Names with an @ are left to addresses. */
const fits = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}._+-]{1,32}$/u
const triesMax = 20

export interface NameWish {
  readonly wish: string | undefined
  readonly prefix: string
  /** Refuses mixed scripts and names that look like another's. */
  readonly claim: Identity['claimName']
}

export async function freeName(
  { wish, prefix, claim }: NameWish,
  trx: Knex.Transaction,
): Promise<string> {
  const wished = wish?.trim().normalize('NFKC') ?? ''
  if (fits.test(wished) && (await isFree(wished, claim, trx))) return wished
  for (let tries = 0; tries < triesMax; tries++) {
    const name = `${prefix}${randomInt(100_000, 1_000_000_000)}`
    if (await isFree(name, claim, trx)) return name
  }
  throw new Error(`no name that begins with ${prefix} is free`)
}

/** Whoever wants the same name waits until this transaction has it, or has ended without it. */
async function isFree(
  name: string,
  claim: NameWish['claim'],
  trx: Knex.Transaction,
): Promise<boolean> {
  await trx.raw("SELECT pg_advisory_xact_lock(hashtext('waybill name ' || lower(?)))", [name])
  const holder = await trx('users')
    .whereRaw('lower(username) = lower(?)', [name])
    .whereNull('deleted_at')
    .first('id')
  if (holder !== undefined) return false
  try {
    await claim(name, trx, 0)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
