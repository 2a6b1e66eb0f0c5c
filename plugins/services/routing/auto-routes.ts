/** The routes admins name, in memory: read again as a whole whenever one of them changes, for they are few. */
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { roleOfAdmins } from './roles.js'
import type { Member } from './routing.js'

export interface AutoRouteRecord {
  readonly key: string
  readonly display_name: string
  readonly groups: readonly string[]
  /** Groups of users who may select it; empty: everybody. */
  readonly user_groups: readonly string[]
  readonly enabled: boolean
  readonly is_default: boolean
}

export interface AutoRoutes {
  start(): Promise<void>
  /** In the order admins gave them. */
  all(): readonly AutoRouteRecord[]
  get(key: string): AutoRouteRecord | undefined
  /** The system's default. */
  theDefault(): AutoRouteRecord | undefined
}

const topic = 'auto_routes'
const routesMax = 1_000

export function autoRoutes({ knex }: Database, changes: Changes): AutoRoutes {
  let records: readonly AutoRouteRecord[] = []
  let byKey: ReadonlyMap<string, AutoRouteRecord> = new Map()
  let reading: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    records = await knex('auto_routes')
      .select('key', 'display_name', 'groups', 'user_groups', 'enabled', 'is_default')
      .orderBy(['sort_order', 'key'])
      .limit(routesMax)
    byKey = new Map(records.map((record) => [record.key, record]))
  }

  /** One read at a time, so that an older answer never replaces a newer one. */
  function reread(): Promise<void> {
    const turn = reading.then(read)
    reading = turn.catch(() => {})
    return turn
  }

  changes.on(topic, reread)

  return {
    start: reread,
    all: () => records,
    get: (key) => byKey.get(key),
    theDefault: () => records.find(({ is_default }) => is_default),
  }
}

export function maySelect({ group, role }: Member, route: AutoRouteRecord): boolean {
  if (!route.enabled) return false
  if (role >= roleOfAdmins || route.user_groups.length === 0) return true
  return route.user_groups.includes(group)
}
