/** Channels in memory: read once at start, then row by row as admins change them (design.md section 6). */
import type { Channel } from '../../../kernel/contract/exchange.js'
import type { Kit, Life } from '../../../kernel/contract/kit.js'
import { channelIndex } from './channel-index.js'
import { type ChannelRow, channelOf } from './channel-row.js'
import type { Channels } from './channels.js'

export type * from './channels.js'

const columns = [
  'id',
  'type',
  'name',
  'status',
  'key_sealed',
  'base_url',
  'models',
  'groups',
  'priority',
  'weight',
  'model_mapping',
  'param_override',
  'status_code_mapping',
  'setting',
  'settings',
]

export default function create({
  services,
  log,
}: Kit<'database' | 'changes' | 'providers' | 'catalog' | 'secrets'>): Channels & Life {
  const { database, changes, providers, secrets } = services
  const index = channelIndex()
  let loaded: Promise<void> = Promise.resolve()

  async function loadAll(): Promise<void> {
    await take(await database.knex('channels').select<ChannelRow[]>(columns).orderBy('id'))
  }

  async function refresh(ids: ReadonlySet<string>): Promise<void> {
    await loaded
    const wanted = [...ids].map(Number)
    const rows = await database.knex('channels').select<ChannelRow[]>(columns).whereIn('id', wanted)
    const found = new Set(rows.map((row) => row.id))
    for (const id of wanted) if (!found.has(id)) index.remove(id)
    await take(rows)
  }

  async function take(rows: readonly ChannelRow[]): Promise<void> {
    await warm(new Set(rows.filter((row) => row.status === 1).map((row) => row.type)))
    for (const row of rows) {
      const channel = read(row)
      if (channel === undefined) index.remove(row.id)
      else index.put(channel, { enabled: row.status === 1 })
    }
  }

  /** A provider that cannot be loaded leaves its channels unserved, and everyone else's alone. */
  async function warm(types: ReadonlySet<number>): Promise<void> {
    for (const type of types) {
      await providers.warm(type).catch((error: unknown) => {
        log.error({ err: error, type }, 'the provider of a channel type could not be loaded')
      })
    }
  }

  function read(row: ChannelRow): Channel | undefined {
    try {
      return channelOf(row, services)
    } catch (error) {
      log.error({ err: error, channelId: row.id }, 'a channel could not be read and is left out')
      return undefined
    }
  }

  async function renewKey(id: number, spent: string, renewed: string): Promise<void> {
    const place = `channels:${id}:key`
    await database.knex.transaction(async (trx) => {
      const [row] = await trx('channels').select('key_sealed').where({ id }).forUpdate()
      if (row === undefined || row.key_sealed === '') return
      if (secrets.open(place, row.key_sealed) !== spent) return
      await trx('channels')
        .where({ id })
        .update({ key_sealed: secrets.seal(place, renewed) })
      await changes.note(trx, 'channels', id)
    })
  }

  changes.on('channels', refresh)

  return {
    get: index.get,
    tiers: index.tiers,
    models: index.models,
    renewKey,
    start() {
      loaded = loadAll()
      return loaded
    },
  }
}
