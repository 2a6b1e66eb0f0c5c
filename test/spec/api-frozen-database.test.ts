/** A database that hangs: everybody who asks is informed of it within a bounded time, and all is well once it goes on. */
import t from 'tap'
import { openDatabase } from '../../kernel/store/database.js'
import { cuttableProxy } from '../kit/cuttable-proxy.js'
import { freshDatabaseUrl, silentLog } from '../kit/database.js'
import { startGateway } from '../kit/gateway.js'
import { management, root } from '../kit/management.js'

/** Longest wait for a connection, a statement and the end of a transaction together. */
const answeredMsMax = 15_000

t.test('[API-1] a management call during a frozen database is a 503 in time', async (t) => {
  t.setTimeout(240_000)
  const address = await freshDatabaseUrl(t)
  if (address === undefined) return t.pass('the embedded database lives in the process')
  const proxy = await cuttableProxy(t, address)
  const database = await openDatabase({ databaseUrl: proxy.url, dataDir: '', log: silentLog })
  t.teardown(() => database.close())
  const { url, admin } = await startGateway(t, { wrap: () => database })
  const proof = await admin.prove('balance')
  const calls: readonly (readonly [string, string, unknown?, Record<string, string>?])[] = [
    ['GET', '/api/user/self'],
    ['GET', '/api/user/?p=1'],
    ['GET', '/api/log/?p=1'],
    ['GET', '/api/audit/'],
    ['GET', '/api/user/sessions'],
    ['PUT', '/api/option/', { key: 'SystemName', value: 'Frozen' }],
    ['POST', '/api/token/', { name: 'one', unlimited_quota: true, expired_time: -1 }],
    ['POST', '/api/verify', { scope: 'balance', method: 'password', password: root.password }],
    [
      'POST',
      '/api/user/manage',
      { id: 1, action: 'add_quota', mode: 'add', value: 1, remark: 'x' },
      proof,
    ],
  ]
  proxy.freeze()
  const results = await Promise.all([
    ...calls.map(async ([method, path, body, headers]) => {
      const begun = Date.now()
      const { status, body: answer, headers: sent } = await admin.call(method, path, body, headers)
      const ms = Date.now() - begun
      return { path, status, code: answer.code, wait: sent.get('retry-after'), ms }
    }),
    // More than there are connections, by nobody who is known.
    ...Array.from({ length: 20 }, async () => {
      const begun = Date.now()
      const { status, body, headers } = await management(url).login(root.username, root.password)
      const ms = Date.now() - begun
      return { path: 'login', status, code: body.code, wait: headers.get('retry-after'), ms }
    }),
  ])
  for (const { path, status, code, wait, ms } of results) {
    t.match(
      { status, code, wait },
      { status: 503, code: 'database_unavailable', wait: /^\d+$/ },
      path,
    )
    t.ok(ms < answeredMsMax, `${path}: ${ms} ms`)
  }
  t.comment(`slowest: ${Math.max(...results.map(({ ms }) => ms))} ms`)
  proxy.mend()
  t.equal((await admin.call('GET', '/api/user/self')).status, 200)
  t.equal((await management(url).login(root.username, root.password)).status, 200)
  for (let at = 0; at < 12; at++) {
    t.equal((await admin.call('GET', '/api/user/?p=1')).status, 200, 'every connection again')
  }
})
