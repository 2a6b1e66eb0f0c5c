/** Channels: where calls go, for admins. Paths and fields of the family (management/README.md section 6); keys go in and never out. */

import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bulkRoutes } from './bulk-routes.js'
import { manyRoutes } from './many-routes.js'
import { nameRoutes } from './name-routes.js'
import { recording } from './records.js'
import { singleRoutes } from './single-routes.js'

export default function create({
  services,
}: Kit<
  | 'database'
  | 'providers'
  | 'catalog'
  | 'channels'
  | 'health'
  | 'pricing'
  | 'usage-log'
  | 'verification'
>): Management {
  const { database, providers, channels, 'usage-log': usage } = services
  const records = recording({ database, usage, channels, providers })

  return {
    routes: {
      ...singleRoutes(services, records),
      ...bulkRoutes(services),
      ...manyRoutes(services),
      ...nameRoutes(services),
    },
  }
}
