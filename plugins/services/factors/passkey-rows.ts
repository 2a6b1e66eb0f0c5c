/** The table of passkeys. */
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PasskeyView, Then } from './factors.js'

const passkeysMax = 20

export interface PasskeyRow {
  readonly id: number
  readonly user_id: number
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly transports: string[]
  readonly name: string
  readonly device_type: string
  readonly backed_up: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

interface NewPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly deviceType: string
  readonly backedUp: boolean
}

interface PasskeyUse {
  readonly counter: number
  readonly backedUp: boolean
}

export interface PasskeyRows {
  list(userId: number): Promise<readonly PasskeyRow[]>
  byCredential(credentialId: Buffer): Promise<PasskeyRow | undefined>
  /** Throws `conflict` where the user has the most there may be, or somebody has this one. */
  add(userId: number, passkey: NewPasskey, then: Then): Promise<PasskeyRow>
  /** False: its counter did not move on, so that there is a copy of it somewhere. */
  use(row: PasskeyRow, use: PasskeyUse): Promise<boolean>
  rename(userId: number, id: number, name: string): Promise<PasskeyRow | undefined>
  remove(userId: number, id: number, trx: Knex.Transaction): Promise<boolean>
  removeAll(userId: number, trx: Knex.Transaction): Promise<void>
}

export interface PasskeyRowsDependencies {
  readonly knex: Knex
  readonly clock: Clock
  readonly log: Log
}

export function passkeyRows({ knex, clock, log }: PasskeyRowsDependencies): PasskeyRows {
  const now = () => new Date(clock.now())

  async function add(userId: number, passkey: NewPasskey, then: Then): Promise<PasskeyRow> {
    return knex.transaction(async (trx) => {
      await trx('users').where('id', userId).forUpdate().first('id')
      const has = await trx('passkeys').where('user_id', userId).limit(passkeysMax).select('id')
      if (has.length >= passkeysMax) throw tooMany()
      const columns = { ...columnsOf(passkey), user_id: userId, created_at: now() }
      const [row] = await trx('passkeys')
        .insert(columns)
        .onConflict('credential_id')
        .ignore()
        .returning<PasskeyRow[]>('*')
      if (row === undefined) {
        throw new Refusal('conflict', { reason: 'This passkey is registered already.' })
      }
      await then(trx)
      return row
    })
  }

  /** Authenticators that do not count report 0 for ever. */
  async function use({ id, user_id }: PasskeyRow, { counter, backedUp }: PasskeyUse) {
    const changed = await knex('passkeys')
      .where('id', id)
      .where((moves) => {
        moves.where('counter', '<', counter)
        if (counter === 0) moves.orWhere('counter', 0)
      })
      .update({ counter, backed_up: backedUp, last_used_at: now() })
    if (changed > 0) return true
    log.warn({ passkey: id, userId: user_id }, 'the counter of a passkey did not move on: refused')
    return false
  }

  return {
    list: (userId) =>
      knex('passkeys').where('user_id', userId).orderBy('id').limit(passkeysMax).select('*'),
    byCredential: (id) => knex('passkeys').where('credential_id', id).first('*'),
    add,
    use,
    async rename(userId, id, name) {
      const own = knex('passkeys').where({ user_id: userId, id })
      const [row] = await own.update({ name }).returning<PasskeyRow[]>('*')
      return row
    },
    async remove(userId, id, trx) {
      return (await trx('passkeys').where({ user_id: userId, id }).delete()) > 0
    },
    async removeAll(userId, trx) {
      await trx('passkeys').where('user_id', userId).delete()
    },
  }
}

export function checkRoom({ length }: readonly PasskeyRow[]): void {
  if (length >= passkeysMax) throw tooMany()
}

export function passkeyView(row: PasskeyRow): PasskeyView {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    backedUp: row.backed_up,
    deviceType: row.device_type,
  }
}

function columnsOf(passkey: NewPasskey): object {
  return {
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: [...passkey.transports],
    name: passkey.name,
    device_type: passkey.deviceType,
    backed_up: passkey.backedUp,
  }
}

function tooMany(): Refusal {
  return new Refusal('conflict', { reason: `There are at most ${passkeysMax} passkeys.` })
}
