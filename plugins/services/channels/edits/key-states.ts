/**
 * Switching and deleting keys of a channel. Each is one transaction that locks the channel's row first, so that
 * places among its keys mean the same from the first look to the last write.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import type { KeyChange } from './edits.js'
import { keysMax } from './keys.js'

interface ChangeOptions {
  readonly trx: Knex.Transaction
  readonly now: Date
  /** Name of the admin. */
  readonly by: string
}

interface Key {
  readonly id: number
  readonly status: number
}

interface Owner {
  readonly status: number
  readonly multi_key_mode: string
}

/** Returns how many keys were changed. Throws a `Refusal`. */
export async function changeKeys(form: KeyChange, options: ChangeOptions): Promise<number> {
  const owner = await lockedOwner(options.trx, form.channel_id)
  const keys = await keysOf(options.trx, form.channel_id)
  const chosen = chosenOf(form, keys).map((key) => key.id)
  if (chosen.length === 0) return 0
  switch (form.action) {
    case 'disable_key':
    case 'disable_all_keys':
      await write(options, chosen, {
        status: 2,
        at: options.now,
        reason: `Switched off by ${options.by}.`,
      })
      break
    case 'enable_key':
    case 'enable_all_keys':
      await write(options, chosen, { status: 1, at: null, reason: '' })
      if (keys.every((key) => key.status !== 1)) await raise(options.trx, form.channel_id, owner)
      break
    case 'delete_key':
    case 'delete_disabled_keys':
      await options.trx('channel_keys').whereIn('id', chosen).delete()
      if (chosen.length === keys.length) await forget(options.trx, form.channel_id)
  }
  return chosen.length
}

/** Throws where there is no such channel, or it has one key only. */
async function lockedOwner(trx: Knex.Transaction, id: number): Promise<Owner> {
  const [owner] = await trx('channels')
    .where({ id })
    .forUpdate()
    .select<Owner[]>('status', 'multi_key_mode')
  return requireSeveral(owner)
}

export async function requireMultiKey(knex: Knex, id: number): Promise<void> {
  requireSeveral(await knex('channels').where({ id }).first<Owner>('status', 'multi_key_mode'))
}

function requireSeveral(owner: Owner | undefined): Owner {
  if (owner === undefined) {
    throw new Refusal('gone_missing', { what: 'channel', param: 'channel_id' })
  }
  if (owner.multi_key_mode === '') {
    const reason = 'This channel does not have several keys.'
    throw new Refusal('invalid_field', { reason, param: 'channel_id' })
  }
  return owner
}

function keysOf(trx: Knex.Transaction, channelId: number): Promise<Key[]> {
  return trx('channel_keys')
    .where('channel_id', channelId)
    .orderBy('id')
    .limit(keysMax)
    .forUpdate()
    .select<Key[]>('id', 'status')
}

/** What is in the wanted state already stays, with its reason. */
function chosenOf(form: KeyChange, keys: readonly Key[]): readonly Key[] {
  switch (form.action) {
    case 'disable_key':
      return [keyOf(form, keys)].filter((key) => key.status !== 2)
    case 'enable_key':
      return [keyOf(form, keys)].filter((key) => key.status !== 1)
    case 'delete_key':
      return [keyOf(form, keys)]
    case 'disable_all_keys':
      return keys.filter((key) => key.status === 1)
    case 'enable_all_keys':
      return keys.filter((key) => key.status !== 1)
    case 'delete_disabled_keys':
      return keys.filter((key) => key.status === 3)
  }
}

interface OneKey {
  readonly key_id?: number
  readonly key_index?: number
}

function keyOf({ key_id, key_index: index = -1 }: OneKey, keys: readonly Key[]): Key {
  const key = key_id === undefined ? keys[index] : keys.find(({ id }) => id === key_id)
  if (key !== undefined) return key
  if (key_id !== undefined) throw new Refusal('gone_missing', { what: 'key', param: 'key_id' })
  const reason = `This channel has ${keys.length} keys; there is none with the index ${index}.`
  throw new Refusal('invalid_field', { reason, param: 'key_index' })
}

async function write(
  { trx }: ChangeOptions,
  ids: readonly number[],
  { status, at, reason }: { status: number; at: Date | null; reason: string },
): Promise<void> {
  await trx('channel_keys')
    .whereIn('id', [...ids])
    .update({ status, disabled_at: at, disabled_reason: reason })
}

/** The gateway had switched the channel off with its last key; a key that is on again takes it along. */
async function raise(trx: Knex.Transaction, id: number, { status }: Owner): Promise<void> {
  if (status !== 3) return
  await trx('channels').where({ id }).update({ status: 1, status_reason: '', status_at: null })
}

/** Without keys there is nothing to know of them: the channel is one of one key, which it has to be given (CHAN-5). */
async function forget(trx: Knex.Transaction, id: number): Promise<void> {
  await trx('channels').where({ id }).update({ multi_key_mode: '' })
}
