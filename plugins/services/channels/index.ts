/** Channels in memory: read once at start, then row by row as they change (kernel/README.md section 6). */
import { setImmediate } from 'node:timers/promises'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { channelIndex } from './channel-index.js'
import { channelOf, type RowReaders, typesOf } from './channel-row.js'
import { channelsById, everyChannel, pageSize, type StoredChannel } from './channel-store.js'
import type { Channels } from './channels.js'
import { createEdits } from './edits/index.js'
import { settingsFaults } from './settings-faults.js'
import { sharedLists } from './shared-lists.js'
import { createSwitching } from './switching.js'

export type * from './channels.js'

/** After so many milliseconds requests under way have their turn. */
const sliceMs = 4

export default function create({
  services,
  log,
  clock,
}: Kit<'database' | 'changes' | 'providers' | 'catalog' | 'secrets' | 'rewriting'>): Channels &
  Life {
  const { database, changes, providers, catalog, secrets } = services
  const index = channelIndex()
  const shared = sharedLists()
  const faults = settingsFaults({ providers, log })
  let loaded: Promise<void> = Promise.resolve()

  async function loadAll(): Promise<void> {
    for await (const page of everyChannel(database.knex, shared)) await take(page)
    shared.forgetNames()
  }

  async function refresh(changed: ReadonlySet<string>): Promise<void> {
    await loaded
    const ids = [...changed].map(Number)
    for (let at = 0; at < ids.length; at += pageSize) {
      await refreshPage(ids.slice(at, at + pageSize))
    }
    shared.forgetNames()
  }

  async function refreshPage(ids: readonly number[]): Promise<void> {
    const stored = await channelsById(database.knex, ids, shared)
    const found = new Set(stored.map(({ row }) => row.id))
    for (const id of ids) {
      if (found.has(id)) continue
      index.remove(id)
      faults.forget(id)
    }
    await take(stored)
  }

  async function take(stored: readonly StoredChannel[]): Promise<void> {
    await warm(new Set(stored.filter(({ row }) => row.status === 1).map(({ row }) => row.type)))
    const readers = { providers, secrets, types: typesOf(catalog) }
    let began = clock.monotonic()
    for (const one of stored) {
      const channel = read(one, readers)
      if (channel === undefined) index.remove(one.row.id)
      else index.put(channel)
      faults.look(one.row)
      if (clock.monotonic() - began < sliceMs) continue
      await setImmediate()
      began = clock.monotonic()
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

  function read({ row, keys }: StoredChannel, readers: RowReaders): Channel | undefined {
    try {
      return channelOf(row, keys, readers)
    } catch (error) {
      log.error({ err: error, channelId: row.id }, 'a channel could not be read and is left out')
      return undefined
    }
  }

  changes.on('channels', refresh)
  // Whether anything serves a channel depends on its plugin.
  catalog.onChange(loadAll)

  return {
    get: index.get,
    all: index.all,
    tiers: index.tiers,
    models: index.models,
    fault: faults.of,
    ...createSwitching(services),
    edits: createEdits(services, clock),
    start() {
      loaded = loadAll()
      return loaded
    },
  }
}
