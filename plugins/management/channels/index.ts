/** Channels: where calls go, for admins. Paths and fields of the family (management/README.md section 6); keys go in and never out. */

import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bulkRoutes } from './bulk-routes.js'
import { nameRoutes } from './name-routes.js'
import { recording } from './records.js'
import { singleRoutes } from './single-routes.js'
import { bulk } from './store/bulk.js'
import { checks as checksOf } from './store/checks.js'
import { copying } from './store/copies.js'
import { keyTable } from './store/keys.js'
import { saving } from './store/save.js'

export default function create({
  services,
  clock,
}: Kit<
  | 'database'
  | 'changes'
  | 'providers'
  | 'catalog'
  | 'secrets'
  | 'channels'
  | 'rewriting'
  | 'pricing'
  | 'usage-log'
  | 'verification'
>): Management {
  const { database, secrets, catalog, 'usage-log': usage } = services
  const checks = checksOf(services)
  const keys = keyTable({ secrets })
  const records = recording({ database, usage, checks })
  const options = (by: string) => ({
    fields: checks.fields,
    seal: (id: number, place: string, secret: string) =>
      secrets.seal(`channels:${id}:${place}`, secret),
    now: new Date(clock.now()),
    by,
  })
  const parts = { ...services, checks, keys, catalog }
  const store = { ...saving(parts), ...bulk(parts), copy: copying(parts), records, terms: options }

  return {
    routes: {
      ...singleRoutes(services, store),
      ...bulkRoutes(store),
      ...nameRoutes(services, store),
    },
  }
}
