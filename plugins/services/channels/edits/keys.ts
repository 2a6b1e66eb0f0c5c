/** Keys of a channel in their table, one row each, sealed. Who calls holds the lock on the channel's row. */
import type { Knex } from 'knex'
import type { SecretBox } from '../../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { keyPlace } from '../channel-row.js'

/** Keys of one channel. */
export const keysMax = 10_000

export interface KeyTable {
  insert(trx: Knex.Transaction, keys: readonly NewKey[]): Promise<void>
  /** Adds what is not there yet; what is there stays as it is (CHAN-5). */
  append(trx: Knex.Transaction, channelId: number, texts: readonly string[]): Promise<void>
  /** Exactly these from now on; a key that stays keeps its row, and with it why and since when it is off (CHAN-5). */
  replace(trx: Knex.Transaction, channelId: number, texts: readonly string[]): Promise<void>
  /**
   * Of channels an admin switches on: where no key is on the channel would serve nobody, so the keys the gateway had
   * switched off come with it.
   */
  revive(trx: Knex.Transaction, channelIds: readonly number[]): Promise<void>
  /** Copies every key of a channel to others that have none, under seals of their own. */
  copy(trx: Knex.Transaction, from: number, to: number): Promise<void>
}

interface NewKey {
  readonly channelId: number
  readonly text: string
}

interface KeyRow {
  readonly id: number
  readonly sealed: string
}

export function keyTable({ secrets }: { readonly secrets: SecretBox }): KeyTable {
  async function insert(trx: Knex.Transaction, keys: readonly NewKey[]): Promise<void> {
    if (keys.length === 0) return
    const sealed = keys.map((key) => secrets.seal(keyPlace(key.channelId), key.text))
    // The order of the texts becomes that of the ids.
    await trx.raw(
      `INSERT INTO channel_keys (channel_id, sealed)
       SELECT channel_id, sealed
       FROM unnest(?::int[], ?::text[]) WITH ORDINALITY AS sent (channel_id, sealed, place)
       ORDER BY place`,
      [keys.map((key) => key.channelId), sealed],
    )
  }

  async function append(trx: Knex.Transaction, channelId: number, texts: readonly string[]) {
    const stored = await opened(trx, channelId)
    const fresh = texts.filter((text) => !stored.has(text))
    atMost(stored.size + fresh.length)
    await insert(trx, owned(channelId, fresh))
  }

  async function replace(trx: Knex.Transaction, channelId: number, texts: readonly string[]) {
    const stored = await opened(trx, channelId)
    const wanted = new Set(texts)
    const kept = texts.flatMap((text) => stored.get(text) ?? [])
    await trx('channel_keys').where('channel_id', channelId).whereNotIn('id', kept).delete()
    for (const text of stored.keys()) wanted.delete(text)
    await insert(trx, owned(channelId, [...wanted]))
  }

  /** Text → id of its row. A key that cannot be opened is no key any more, and the next replacement takes it away. */
  async function opened(trx: Knex.Transaction, channelId: number): Promise<Map<string, number>> {
    const rows = await rowsOf(trx, channelId)
    return new Map(
      rows.flatMap(({ id, sealed }) => {
        try {
          return [[secrets.open(keyPlace(channelId), sealed), id] as const]
        } catch {
          return []
        }
      }),
    )
  }

  async function revive(trx: Knex.Transaction, channelIds: readonly number[]): Promise<void> {
    await trx.raw(
      `UPDATE channel_keys SET status = 1, disabled_at = NULL, disabled_reason = ''
       WHERE channel_id = ANY(?::int[]) AND status = 3 AND NOT EXISTS (
         SELECT FROM channel_keys AS other
         WHERE other.channel_id = channel_keys.channel_id AND other.status = 1)`,
      [[...channelIds]],
    )
  }

  async function copy(trx: Knex.Transaction, from: number, to: number): Promise<void> {
    const rows = await rowsOf(trx, from)
    const texts = rows.map((row) => secrets.open(keyPlace(from), row.sealed))
    await insert(trx, owned(to, texts))
    await trx.raw(
      `UPDATE channel_keys AS copied
       SET status = source.status, disabled_at = source.disabled_at,
         disabled_reason = source.disabled_reason
       FROM
         (SELECT *, row_number() OVER (ORDER BY id) AS place
          FROM channel_keys WHERE channel_id = ?) AS source,
         (SELECT id, row_number() OVER (ORDER BY id) AS place
          FROM channel_keys WHERE channel_id = ?) AS target
       WHERE copied.id = target.id AND target.place = source.place`,
      [from, to],
    )
  }

  return { insert, append, replace, revive, copy }
}

/** Throws `invalid_field`. */
export function atMost(keys: number): void {
  if (keys <= keysMax) return
  const reason = `A channel has at most ${keysMax} keys; this would make ${keys}.`
  throw new Refusal('invalid_field', { reason, param: 'key' })
}

/** Of one channel, in their order. */
export async function sealedKeys(knex: Knex, channelId: number): Promise<readonly string[]> {
  return (await rowsOf(knex, channelId)).map(({ sealed }) => sealed)
}

function rowsOf(trx: Knex, channelId: number): Promise<KeyRow[]> {
  return trx('channel_keys')
    .where('channel_id', channelId)
    .orderBy('id')
    .limit(keysMax)
    .select<KeyRow[]>('id', 'sealed')
}

function owned(channelId: number, texts: readonly string[]): readonly NewKey[] {
  return texts.map((text) => ({ channelId, text }))
}
