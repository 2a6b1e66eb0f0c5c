/** `waybill/testing`, as tests of plugins use it: gateways beside each other that leave nothing behind. */
import { mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { shelf } from '../kernel/registry/outside-kit.js'
import { startTestGateway } from '../testing/index.js'

const left = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('waybill-'))

t.test('two gateways at once have a database each, and none is left', async (t) => {
  const own = join(t.testdir({}), 'tmp')
  mkdirSync(own)
  const before = process.env.TMPDIR
  process.env.TMPDIR = own
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  t.equal(tmpdir(), own)
  const gateways = await Promise.all([startTestGateway(), startTestGateway({ funds: 500 })])
  t.equal(left(own).length, 2)
  const balances = await Promise.all(gateways.map((gateway) => gateway.balance()))
  t.strictSame(balances, [10_000_000n, 500n])
  await Promise.all(gateways.map((gateway) => gateway.close()))
  t.strictSame(left(own), [])
})

t.test('a plugin that does not load is named before any test of it runs', async (t) => {
  const outside = shelf(t)
  outside.put({ 'package.json': { type: 'module' } })
  outside.plugin('star', 'notifier.star', 'throw new Error("no luck today")')
  await t.rejects(startTestGateway({ plugins: [join(outside.folder, 'star')] }), {
    message: /notifier\.star: no luck today/,
  })
})
