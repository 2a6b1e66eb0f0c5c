/** Who reads the audit log, and by what it is searched. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createArea from '../../../plugins/management/audit/index.js'
import type { Audit, AuditQuery, AuditRow } from '../../../plugins/services/audit/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { call, settingsOf } from './management-fixture.js'

const row: AuditRow = {
  id: 5,
  createdAt: new Date(1_700_000_000_999),
  actorId: 7,
  actorName: 'ada',
  actorRole: 10,
  via: 'session',
  address: '203.0.113.9',
  action: 'users.manage',
  object: 'user 9',
  objectName: 'bea',
  detail: 'promote',
  beforeHash: null,
  afterHash: Buffer.from('ab', 'hex'),
  requestId: 'req_1',
  previousHash: null,
  hash: Buffer.from('cd', 'hex'),
}
const queries: AuditQuery[] = []
const days: string[] = []
const audit: Audit = {
  watch() {},
  watchRefused() {},
  async record() {},
  refused() {},
  async page(query) {
    queries.push(query)
    return { items: [row], total: 1 }
  },
  async verify(day) {
    days.push(day)
    return { day, rows: 1, heads: 0, head: row.hash, broken: { id: 6, fault: 'link' } }
  },
}
const area = createArea({
  settings: settingsOf({}),
  clock: new FakeClock(),
  log: quietLog,
  services: { audit },
})
const admin: Principal = { userId: 7, username: 'ada', role: 10, group: '', via: 'session' }
const root: Principal = { ...admin, userId: 1, role: 100 }

t.test('admins see what others than root did, root sees everything', async (t) => {
  t.same(await call(area, 'list', { principal: admin }), {
    page: 1,
    page_size: 10,
    total: 1,
    items: [
      {
        id: 5,
        created_at: 1_700_000_000,
        actor_id: 7,
        actor_name: 'ada',
        actor_role: 10,
        via: 'session',
        ip: '203.0.113.9',
        action: 'users.manage',
        object: 'user 9',
        object_name: 'bea',
        detail: 'promote',
        before_hash: '',
        after_hash: 'ab',
        request_id: 'req_1',
        hash: 'cd',
      },
    ],
  })
  await call(area, 'list', { principal: root })
  t.match(queries, [{ visibleTo: { userId: 7, below: 100 } }, { visibleTo: undefined }])
})

t.test('empty fields of a form mean any', async (t) => {
  queries.length = 0
  const empty = { actor: '', action: '', object: '', start_timestamp: '', end_timestamp: 0 }
  await call(area, 'list', { principal: root, query: empty })
  const query = { actor: 'ada', action: 'users.', object: 'user 9', request_id: 'r', p: 2 }
  const times = { start_timestamp: 5, end_timestamp: 6, page_size: 500 }
  await call(area, 'list', { principal: root, query: { ...query, ...times } })
  t.match(queries, [
    { page: 1, pageSize: 10, actor: undefined, action: undefined, from: undefined, to: undefined },
    { page: 2, pageSize: 100, actor: 'ada', action: 'users.', object: 'user 9', from: 5, to: 6 },
  ])
  const hidden = call(area, 'list', { principal: root, query: { actor: 'a\u0000' } })
  await t.rejects(hidden, { code: 'invalid_field', param: 'actor' })
})

t.test('a day is named as the calendar has it', async (t) => {
  const verdict = await call(area, 'verify', { query: { day: '2024-02-29' } })
  t.same(verdict, {
    day: '2024-02-29',
    rows: 1,
    heads: 0,
    intact: false,
    broken: { id: 6, fault: 'link' },
    head: 'cd',
  })
  for (const day of [undefined, '', '2023-02-29', '2026-13-01', '2026-1-1', '1 January 2026']) {
    await t.rejects(call(area, 'verify', { query: { day } }), { code: 'invalid_field' })
  }
  t.strictSame(days, ['2024-02-29'])
})
