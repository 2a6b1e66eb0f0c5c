/** What an operator lists for notifiers: private servers users may name, and nothing beside them (X1). */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Settings } from '../../../kernel/contract/kit.js'
import { addressPolicy, listedPolicy, type Resolve } from '../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { listedHosts } from '../../../kernel/egress/listed-hosts.js'
import { createOutgoing } from '../../../kernel/egress/outgoing.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

const refused = { name: 'EgressError', failure: { code: 'channel:address_refused' } }
const here: Resolve = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

interface Terms {
  readonly hosts?: readonly string[]
  readonly resolve?: Resolve
  /** Of the setting; another type than a list is an address an admin set. */
  readonly type?: 'list' | 'string'
}

/** The way out of a notifier; `listed` is read with each call. */
function exit(t: Test, listed: { now: readonly unknown[] }, terms: Terms = {}) {
  const { hosts = ['user', 'settings.privateHosts'], resolve = here, type = 'list' } = terms
  const clock = new FakeClock()
  const egress = createEgress({ allowPrivateUpstreams: true, clock, log: quietLog, resolve })
  t.teardown(() => egress.close())
  return createOutgoing({
    manifest: { hosts, settings: [{ name: 'privateHosts', type, title: 'Servers' }] },
    settings: { string: () => JSON.stringify(listed.now) } as unknown as Settings,
    egress: () => egress,
    clock,
  }).fetch
}

async function server(t: Test, answer: RequestListener) {
  const requests: string[] = []
  const http = createServer((request, response) => {
    requests.push(String(request.headers.host))
    answer(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => {
    http.close()
    http.closeAllConnections()
  })
  return { port: (http.address() as AddressInfo).port, requests }
}

const ok: RequestListener = (_request, response) => void response.end('ok')

t.test('a server listed by name is called wherever its name leads, and no other', async (t) => {
  const { port, requests } = await server(t, ok)
  const fetch = exit(t, { now: ['Gotify.home.', ' push.home '] })
  for (const host of ['gotify.home', 'GOTIFY.home', 'push.home', 'gotify.home.']) {
    t.equal((await fetch(`http://${host}:${port}/`)).status, 200, host)
  }
  for (const host of [
    'other.home',
    'home',
    'a.gotify.home',
    'gotify.home.evil.example',
    'gotify.home@evil.example',
    '127.0.0.1',
    '[::1]',
  ]) {
    await t.rejects(fetch(`http://${host}:${port}/`), refused, host)
  }
  t.equal(requests.length, 4)
})

t.test('a listed network or address holds for names that lead there too', async (t) => {
  const { port } = await server(t, ok)
  for (const entry of ['127.0.0.0/8', '127.0.0.1', '127.0.0.1/32']) {
    const fetch = exit(t, { now: [entry] })
    for (const host of ['127.0.0.1', 'any.example', '2130706433']) {
      t.equal((await fetch(`http://${host}:${port}/`)).status, 200, `${entry} ${host}`)
    }
    await t.rejects(fetch(`http://192.168.0.1:${port}/`), refused)
    await t.rejects(fetch(`http://[::1]:${port}/`), refused)
  }
})

t.test('what lists nothing opens nothing', async (t) => {
  const { port, requests } = await server(t, ok)
  const nothing = [
    '',
    '/8',
    '127.0.0.0/33',
    '127.0.0.0/-1',
    '127.0.0.0/x',
    '127.0.0/8',
    7,
    null,
    {},
  ]
  const fetch = exit(t, { now: nothing })
  await t.rejects(fetch(`http://any.example:${port}/`), refused)
  await t.rejects(fetch(`http://127.0.0.1:${port}/`), refused)
  t.equal(requests.length, 0)
})

t.test(
  'addresses of metadata services are refused unless they are listed themselves',
  async (t) => {
    const metadata: Resolve = (_name, done) =>
      done(null, [
        { address: '192.168.1.5', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])
    const wide = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '169.254.169.254/31', 'metadata.home']
    const fetch = exit(t, { now: wide }, { resolve: metadata })
    for (const host of [
      'metadata.home',
      'any.example',
      '169.254.169.254',
      '169.254.0.1',
      '100.100.100.200',
      '[fe80::1]',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
    ]) {
      await t.rejects(fetch(`http://${host}/`), refused, host)
    }
    const policy = (entries: readonly string[], host: string) =>
      listedPolicy(
        addressPolicy(() => true),
        listedHosts(JSON.stringify(entries)),
        host,
      )
    const itself = policy(['169.254.169.254', 'fe80::1/128'], 'any.example')
    t.ok(itself('169.254.169.254', 'user'))
    t.ok(itself('fe80::1', 'user'))
    t.notOk(itself('169.254.169.253', 'user'))
    t.notOk(itself('192.168.1.5', 'user'), 'and nothing else with them')
    t.ok(policy(['a.home'], 'a.home')('192.168.1.5', 'user'))
    t.notOk(policy(['a.home'], 'b.home')('192.168.1.5', 'user'))
  },
)

t.test('a redirect does not lead out of the list', async (t) => {
  const elsewhere = await server(t, ok)
  const { port, requests } = await server(t, (_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` })
    response.end()
  })
  const fetch = exit(t, { now: ['gotify.home'] })
  t.equal((await fetch(`http://gotify.home:${port}/`)).status, 307)
  t.equal(requests.length, 1)
  t.equal(elsewhere.requests.length, 0)
})

t.test('ports of other services stay closed', async (t) => {
  await t.rejects(exit(t, { now: ['gotify.home'] })('http://gotify.home:22/'), refused)
})

t.test('what is listed no more is called no more, whatever is still connected', async (t) => {
  const { port, requests } = await server(t, ok)
  const listed: { now: readonly unknown[] } = { now: ['gotify.home'] }
  const fetch = exit(t, listed)
  const url = `http://gotify.home:${port}/`
  t.equal((await fetch(url)).status, 200)
  listed.now = ['other.home']
  await t.rejects(fetch(url), refused)
  listed.now = []
  await t.rejects(fetch(url), refused)
  t.equal(requests.length, 1)
})

t.test('a list counts only where the manifest names it beside users’ addresses', async (t) => {
  const { port } = await server(t, ok)
  const url = `http://gotify.home:${port}/`
  const listed = { now: ['gotify.home'] }
  for (const terms of [
    { hosts: ['user'] },
    { hosts: ['settings.privateHosts'] },
    { type: 'string' as const },
  ]) {
    await t.rejects(exit(t, listed, terms)(url), refused, JSON.stringify(terms))
  }
})
