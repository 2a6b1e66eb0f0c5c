import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import t from 'tap'
import {
  addressPolicy,
  classify,
  guardedLookup,
  type Resolve,
} from '../../../kernel/egress/address-policy.js'

t.test('every address is public, private or never to be called (X1)', async (t) => {
  const table = {
    public: ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00::1'],
    private: [
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.0.0.8',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '::1',
      'fc00::1',
      'fd12::1',
      '::ffff:10.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::8.8.8.8',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::10.0.0.1',
      '2002:808:808::1',
      '2001:db8::1',
      '2001:10::1',
      '3fff::1',
      '100::1',
      '4000::1',
    ],
    never: [
      '0.0.0.0',
      '0.1.2.3',
      '169.254.169.254',
      '169.254.0.1',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'fd00:ec2::254',
      'fd20:ce::254',
      '2001::1',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '::169.254.169.254',
      '::ffff:0.0.0.0',
      '64:ff9b::169.254.169.254',
      '2002:a9fe:a9fe::1',
      'localhost',
      '',
    ],
  }
  for (const [kind, addresses] of Object.entries(table)) {
    for (const address of addresses) t.equal(classify(address), kind, address)
  }
})

t.test('private addresses are for admins, and only while that is allowed', async (t) => {
  const open = addressPolicy(() => true)
  const closed = addressPolicy(() => false)
  for (const [address, openAdmin, closedAdmin, user] of [
    ['8.8.8.8', true, true, true],
    ['10.0.0.1', true, false, false],
    ['::1', true, false, false],
    ['::ffff:10.0.0.1', true, false, false],
    ['169.254.169.254', false, false, false],
  ] as const) {
    t.equal(open(address, 'admin'), openAdmin, address)
    t.equal(closed(address, 'admin'), closedAdmin, address)
    t.equal(open(address, 'user'), user, address)
    t.equal(closed(address, 'user'), user, address)
  }
})

t.test('a name is refused as soon as one of its addresses is', async (t) => {
  const names: Record<string, LookupAddress[]> = {
    good: [
      { address: '2606:4700::1111', family: 6 },
      { address: '1.1.1.1', family: 4 },
    ],
    mixed: [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
    // Who asks for one family alone is refused for the other's sake too.
    both: [
      { address: '1.1.1.1', family: 4 },
      { address: 'fd00::1', family: 6 },
    ],
    none: [],
  }
  const resolve: Resolve = (name, done) => done(null, names[name]!)
  const lookup = guardedLookup(
    addressPolicy(() => true),
    'user',
    resolve,
  )
  t.strictSame(await looked(lookup, 'good', { all: true }), names.good)
  t.strictSame(await looked(lookup, 'good', {}), '2606:4700::1111')
  t.strictSame(await looked(lookup, 'good', { family: 4 }), '1.1.1.1')
  for (const [name, options] of [
    ['mixed', { all: true }],
    ['both', { family: 4 }],
    ['both', {}],
  ] as const) {
    const refused = await looked(lookup, name, options).catch((error) => error)
    t.match(refused, { failure: { code: 'channel:address_refused' } }, name)
  }
  await t.rejects(looked(lookup, 'none', {}))
})

function looked(lookup: LookupFunction, name: string, options: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(name, options, (error, address) => (error ? reject(error) : resolve(address)))
  })
}
