/**
 * What the gateway itself changes about a channel: off, on again, a renewed key, when it was tested. Each is one short
 * transaction that locks the channel's row and then its keys in order of id, as admins' edits do, so that two
 * processes with one finding write it once.
 */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import { type ChannelColumns, type KeyColumns, keyPlace, type Status } from './channel-row.js'
import type { ChannelPart, Channels } from './channels.js'

export type Switching = Pick<Channels, 'suspend' | 'resume' | 'renewKey' | 'noteTest'>

export interface SwitchingServices {
  readonly database: Database
  readonly changes: Changes
  readonly secrets: SecretBox
}

/** A channel's rows, locked. */
interface Locked {
  readonly trx: Knex.Transaction
  readonly id: number
  readonly status: Status
  readonly keys: readonly KeyColumns[]
  /** States that the gateway itself switches the channel: each time under a name of its own. */
  switched(to: Status): Promise<void>
}

const on: Status = 1
const suspended: Status = 3

/** Largest value of the column. */
const responseMsMax = 2_147_483_647

export function createSwitching({ database, changes, secrets }: SwitchingServices): Switching {
  const { knex } = database

  /** Answers what `work` did: whether it changed anything. Nothing is locked but for a channel that exists. */
  function locked(id: number, work: (rows: Locked) => Promise<boolean>): Promise<boolean> {
    return knex.transaction(async (trx) => {
      const [row] = await trx('channels')
        .select<Pick<ChannelColumns, 'status'>[]>('status')
        .where({ id })
        .forUpdate()
      if (row === undefined) return false
      const keys = await trx('channel_keys')
        .select<KeyColumns[]>('id', 'channel_id', 'sealed', 'status')
        .where('channel_id', id)
        .orderBy('id')
        .forUpdate()
      const switched = (to: Status) =>
        changes.note(trx, 'channel-switches', `${id}:${to}:${randomUUID()}`)
      const changed = await work({ trx, id, status: row.status, keys, switched })
      if (changed) await changes.note(trx, 'channels', id)
      return changed
    })
  }

  async function renewKey(id: number, spent: string, renewed: string): Promise<void> {
    await locked(id, async ({ trx, keys }) => {
      const key = keys.find(({ sealed }) => opened(id, sealed) === spent)
      if (key === undefined) return false
      const sealed = secrets.seal(keyPlace(id), renewed)
      await trx('channel_keys').where('id', key.id).update({ sealed })
      return true
    })
  }

  /** A key that cannot be read is not the one that was spent. */
  function opened(channelId: number, sealed: string): string | undefined {
    try {
      return secrets.open(keyPlace(channelId), sealed)
    } catch {
      return undefined
    }
  }

  async function noteTest(id: number, ms: number): Promise<void> {
    const response_ms = Math.min(Math.max(Math.round(ms), 0), responseMsMax)
    await knex('channels').where({ id }).update({ tested_at: knex.fn.now(), response_ms })
  }

  return {
    suspend: ({ channelId, keyId }: ChannelPart, reason) =>
      locked(channelId, (rows) =>
        keyId === undefined
          ? suspendChannel(rows, persistentText(reason))
          : suspendKey(rows, keyId, persistentText(reason)),
      ),
    resume: ({ channelId, keyId }: ChannelPart) =>
      locked(channelId, (rows) =>
        keyId === undefined ? resumeChannel(rows) : resumeKey(rows, keyId),
      ),
    renewKey,
    noteTest,
  }
}

async function suspendChannel(rows: Locked, reason: string): Promise<boolean> {
  if (rows.status !== on) return false
  await writeChannel(rows, suspended, reason)
  return true
}

/** The last key that was on takes the channel with it (CHAN-5). */
async function suspendKey(rows: Locked, keyId: number, reason: string): Promise<boolean> {
  if (rows.keys.find(({ id }) => id === keyId)?.status !== on) return false
  await writeKeys(rows, [keyId], suspended, reason)
  const isLast = rows.keys.every(({ id, status }) => id === keyId || status !== on)
  if (isLast && rows.status === on) await writeChannel(rows, suspended, reason)
  return true
}

/** Without a key that is on it would serve nobody, so those the gateway switched off come with it. */
async function resumeChannel(rows: Locked): Promise<boolean> {
  if (rows.status !== suspended) return false
  const fallen = rows.keys.filter(({ status }) => status === suspended).map(({ id }) => id)
  if (hasFallen(rows)) await writeKeys(rows, fallen, on, '')
  await writeChannel(rows, on, '')
  return true
}

async function resumeKey(rows: Locked, keyId: number): Promise<boolean> {
  if (rows.keys.find(({ id }) => id === keyId)?.status !== suspended) return false
  await writeKeys(rows, [keyId], on, '')
  if (rows.status === suspended && hasFallen(rows)) await writeChannel(rows, on, '')
  return true
}

/** No key of it is on: that is what switched it off, whatever else did. */
function hasFallen({ keys }: Locked): boolean {
  return keys.every(({ status }) => status !== on)
}

async function writeChannel(rows: Locked, status: Status, reason: string): Promise<void> {
  const { trx, id } = rows
  const status_at = status === on ? null : trx.fn.now()
  await trx('channels').where({ id }).update({ status, status_reason: reason, status_at })
  await rows.switched(status)
}

async function writeKeys(
  { trx }: Locked,
  ids: readonly number[],
  status: Status,
  reason: string,
): Promise<void> {
  const disabled_at = status === on ? null : trx.fn.now()
  await trx('channel_keys')
    .whereIn('id', ids)
    .update({ status, disabled_reason: reason, disabled_at })
}
