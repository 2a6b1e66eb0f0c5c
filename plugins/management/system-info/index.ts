/** The processes that serve this database: each reports itself, and root sees them all (API-3). */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createInstances } from './instances/index.js'
import { instanceRoutes } from './routes.js'

type AreaKit = Kit<'database' | 'schedule' | 'system' | 'live' | 'traffic'>

export default function create({ services, clock }: AreaKit): Management & Life {
  const { list, staleAfterSeconds, removeStale, remove, start, stop } = createInstances({
    services,
    clock,
  })
  return {
    routes: instanceRoutes({ list, staleAfterSeconds, removeStale, remove }, clock),
    start,
    stop,
  }
}
