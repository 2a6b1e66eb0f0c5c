import t from 'tap'
import { parseTrustedProxies } from '../../../kernel/http/trusted-proxies.js'
import { unnamedProxies } from '../../../kernel/http/unnamed-proxies.js'
import { quietLog } from '../../kit/fakes.js'

t.test('[AUTH-11] addresses and restricted ranges are taken', async (t) => {
  for (const entry of [
    '10.0.0.1',
    '10.0.0.0/8',
    '192.168.1.77/16',
    '::1',
    'fd00::/8',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '0.0.0.0/1',
  ]) {
    t.doesNotThrow(() => parseTrustedProxies([entry]), entry)
  }
})

t.test('[AUTH-11] an invalid entry stops with a sentence that names it', async (t) => {
  for (const entry of [
    '',
    'localhost',
    '*',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/ 8',
    '10.0.0',
    '010.0.0.1',
    '0x7f.1',
    '10.0.0.256',
    '::/129',
    'fe80::1%eth0',
    '10.0.0.1:80',
  ]) {
    t.throws(() => parseTrustedProxies(['10.0.0.1', entry]), { message: `"${entry}"` }, entry)
  }
})

t.test(
  '[AUTH-11] a range over a whole address space stops, in one piece or in several',
  async (t) => {
    for (const entries of [
      ['0.0.0.0/0'],
      ['10.0.0.0/0'],
      ['::/0'],
      ['::ffff:0:0/96'],
      ['::ffff:0.0.0.0/96'],
      ['::/1'],
      ['0.0.0.0/1', '128.0.0.0/1'],
      ['128.0.0.0/1', '10.0.0.0/8', '64.0.0.0/2', '0.0.0.0/2'],
      ['::/1', '8000::/1'],
      ['::ffff:0.0.0.0/97', '128.0.0.0/1'],
    ]) {
      t.throws(
        () => parseTrustedProxies(entries),
        { message: /whole address space/ },
        entries.join(' '),
      )
    }
  },
)

t.test('[AUTH-11] by default nobody is trusted, not even this machine', async (t) => {
  const proxies = parseTrustedProxies([])
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '10.0.0.1', '::2']) {
    t.notOk(proxies.trusts(address), address)
  }
  t.equal(proxies.clientAddress('127.0.0.1', '1.1.1.1'), '127.0.0.1')
  t.notOk(proxies.isSecure('127.0.0.1', false, 'https'))
})

t.test('[AUTH-11] who forwards without being named is noted, and nobody else', async (t) => {
  const noted: string[] = []
  const proxies = parseTrustedProxies(['10.0.0.1'], (peer) => noted.push(peer))
  proxies.clientAddress('10.0.0.1', '1.1.1.1')
  proxies.clientAddress('127.0.0.1', undefined)
  t.strictSame(noted, [])
  proxies.clientAddress('::ffff:127.0.0.1', '1.1.1.1')
  t.strictSame(noted, ['127.0.0.1'])
})

t.test(
  '[AUTH-11] of proxies that are not named the log warns once a kind of address',
  async (t) => {
    const warned: object[] = []
    const warn = (fields: object, message: string) => {
      warned.push(fields)
      t.match(message, 'TRUSTED_PROXIES')
    }
    const unnamed = unnamedProxies({ ...quietLog, warn })
    for (const peer of ['8.8.8.8', '1.1.1.1', '127.0.0.1', '10.0.0.1', '9.9.9.9']) unnamed(peer)
    t.strictSame(
      warned,
      [{ peer: '8.8.8.8' }, { peer: '127.0.0.1' }],
      'a stranger’s made-up header does not use up the warning about a proxy of the own network',
    )
  },
)

t.test('the client is the first hop from the right that is not trusted (X14)', async (t) => {
  const proxies = parseTrustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  const table: readonly [peer: string, forwardedFor: string | undefined, client: string][] = [
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['127.0.0.1', '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['127.0.0.1', '6.6.6.6, 1.1.1.1, 10.1.2.3', '1.1.1.1'],
    ['127.0.0.1', '10.1.1.1, 10.1.2.3', '10.1.1.1'],
    ['::ffff:127.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['::ffff:203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['127.0.0.1', '1.1.1.1:4711', '1.1.1.1'],
    ['127.0.0.1', '[2001:DB8::1]:4711', '2001:db8::1'],
    ['127.0.0.1', '[2001:db8::1', '127.0.0.1'],
    ['127.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['127.0.0.1', '1.1.1.1, [::1]:80x', '127.0.0.1'],
    ['127.0.0.1', '::ffff:1.1.1.1', '1.1.1.1'],
    ['127.0.0.1', '0:0:0:0:0:ffff:0101:0101', '1.1.1.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '1.1.1.1, garbage, 10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['fd00::5', '2001:db8::7', '2001:db8::7'],
  ]
  for (const [peer, forwardedFor, client] of table) {
    t.equal(proxies.clientAddress(peer, forwardedFor), client, `${peer} sends ${forwardedFor}`)
  }
})

t.test('[AUTH-11] of a longer chain the last 32 hops are walked, and no more', async (t) => {
  const proxies = parseTrustedProxies(['127.0.0.1', '10.0.0.0/8'])
  const trusted = (count: number) => Array.from({ length: count }, (_, hop) => `10.0.0.${hop}`)
  const seen = (...hops: readonly string[]) => proxies.clientAddress('127.0.0.1', hops.join(', '))
  const forged = Array.from({ length: 40 }, () => '6.6.6.6')
  t.equal(
    seen(...forged, '1.1.1.1', '10.1.2.3'),
    '1.1.1.1',
    'what a client made up lies on the left',
  )
  t.equal(seen('1.1.1.1', ...trusted(31)), '1.1.1.1')
  t.equal(seen('1.1.1.1', ...trusted(32)), '10.0.0.0', 'the farthest hop that is looked at')
})

t.test('only a trusted proxy can say that the request came by HTTPS', async (t) => {
  const proxies = parseTrustedProxies(['127.0.0.1'])
  t.ok(proxies.isSecure('127.0.0.1', false, 'https'))
  t.ok(proxies.isSecure('203.0.113.9', true, undefined))
  t.notOk(proxies.isSecure('203.0.113.9', false, 'https'))
  t.notOk(proxies.isSecure('127.0.0.1', false, 'http'))
  t.notOk(proxies.isSecure('127.0.0.1', false, 'https, http'))
  t.notOk(proxies.isSecure('127.0.0.1', false, undefined))
})
