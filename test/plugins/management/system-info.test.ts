/** Instances as root sees them. */
import t from 'tap'
import type { Instances } from '../../../plugins/management/system-info/instances/index.js'
import { instanceRoutes } from '../../../plugins/management/system-info/routes.js'
import { FakeClock } from '../../kit/clock.js'
import { call } from './management-fixture.js'

const removed: string[] = []
const instances: Instances = {
  staleAfterSeconds: 90,
  async list() {
    const startedAt = new Date(1_700_000_000_999)
    const one = { startedAt, lastSeenAt: new Date(1_700_000_100_000), info: { pid: 1 } }
    return [
      { ...one, nodeName: 'a', online: true },
      { ...one, nodeName: 'b', online: false },
    ]
  },
  removeStale: async () => 3,
  async remove(name) {
    removed.push(name)
  },
}

const area = { routes: instanceRoutes(instances, new FakeClock(1_700_000_112_500)) }

t.test('[API-3] instances are reported in the words of the family', async (t) => {
  t.same(await call(area, 'list'), [
    {
      node_name: 'a',
      status: 'online',
      stale_after_seconds: 90,
      started_at: 1_700_000_000,
      last_seen_at: 1_700_000_100,
      age_seconds: 12,
      info: { pid: 1 },
    },
    {
      node_name: 'b',
      status: 'stale',
      stale_after_seconds: 90,
      started_at: 1_700_000_000,
      last_seen_at: 1_700_000_100,
      age_seconds: 12,
      info: { pid: 1 },
    },
  ])
})

t.test('[API-3] how many were deleted is reported', async (t) => {
  t.match(await call(area, 'removeStale'), { data: { deleted_count: 3 } })
  const one = { params: { node_name: 'b' } }
  t.match(await call(area, 'remove', one), {
    data: { deleted_count: 1 },
    audit: { object: 'instance b' },
  })
  t.strictSame(removed, ['b'])
})
