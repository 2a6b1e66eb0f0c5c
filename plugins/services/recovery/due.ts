/** What a run tests: keys and channels the gateway switched off, and the enabled channels where that is wanted. */
import type { Knex } from 'knex'

export interface Due {
  readonly channelId: number
  /** Absent: the channel, by the first of its keys that is on. */
  readonly keyId?: number
  /** Empty: the channel names none. */
  readonly testModel: string
  /** The gateway switched it off. */
  readonly off: boolean
}

interface Row {
  readonly id: number
  readonly key_id?: number
  readonly status: number
  readonly test_model: string
}

const on = 1
const switchedOff = 2
const suspended = 3

/** What an admin switched off is left alone, keys of such a channel too. */
export async function findDue(knex: Knex, testAll: boolean): Promise<readonly Due[]> {
  const keys = await knex('channel_keys as k')
    .join('channels as c', 'c.id', 'k.channel_id')
    .select<Row[]>('c.id', 'k.id as key_id', 'k.status', 'c.test_model')
    .where('k.status', suspended)
    .whereNot('c.status', switchedOff)
    .orderBy('k.id')
  const channels = await knex('channels')
    .select<Row[]>('id', 'status', 'test_model')
    .whereIn('status', testAll ? [on, suspended] : [suspended])
    .orderBy('id')
  return [...keys, ...channels].map(({ id, key_id, status, test_model }) => ({
    channelId: id,
    keyId: key_id,
    testModel: test_model,
    off: status === suspended,
  }))
}
