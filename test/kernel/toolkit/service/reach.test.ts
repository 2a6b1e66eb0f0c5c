/** Where a provider may send a channel's key. */
import t from 'tap'
import { mayReach } from '../../../../kernel/toolkit/service/reach.js'

t.test('a call stays at the host of its channel, or at one its manifest names (X1)', async (t) => {
  const base = 'https://api.acme.example'
  const table: readonly (readonly [url: string, hosts: readonly string[], may: boolean])[] = [
    [`${base}/v1/chat`, ['channel'], true],
    [`${base}?a=1`, ['channel'], true],
    [base, ['channel'], true],
    ['wss://api.acme.example/v1/realtime', ['channel'], true],
    [`${base}.evil.example/v1`, ['channel'], false],
    [`${base}@evil.example/v1`, ['channel'], false],
    [`${base}:8443/v1`, ['channel'], false],
    [`${base}/v1/chat`, [], false],
    [`${base}/v1/chat`, ['other.example'], false],
    ['https://other.example/v1', ['channel', 'other.example'], true],
    ['https://evilother.example/v1', ['channel', 'other.example'], false],
    ['https://a.other.example/v1', ['channel', 'other.example'], false],
    ['https://a.other.example/v1', ['*.other.example'], true],
    ['https://other.example.evil/v1', ['*.other.example', 'other.example'], false],
    ['nonsense', ['channel', '*.other.example'], false],
  ]
  for (const [url, hosts, may] of table) t.equal(mayReach(url, base, hosts), may, `${url} ${hosts}`)
  t.equal(mayReach('https://a.example/v1/x', 'https://a.example/v1', ['channel']), true)
  t.equal(mayReach('https://a.example/v1x', 'https://a.example/', ['channel']), true)
  t.equal(mayReach('https://a.example/v1', '', ['channel']), false)
})

t.test('a key of a channel over TLS goes nowhere in plain text (X1)', async (t) => {
  const table: readonly (readonly [url: string, base: string, may: boolean])[] = [
    ['http://api.acme.example/v1', 'https://api.acme.example', false],
    ['http://api.acme.example:443/v1', 'https://api.acme.example:443', false],
    ['ws://api.acme.example/v1', 'https://api.acme.example', false],
    ['HTTP://named.example/v1', 'https://api.acme.example', false],
    ['https://named.example/v1', 'https://api.acme.example', true],
    ['wss://api.acme.example/v1', 'https://api.acme.example', true],
    ['ws://api.acme.example/v1', 'http://api.acme.example', true],
    ['https://api.acme.example/v1', 'http://api.acme.example', true],
    ['http://named.example/v1', 'http://api.acme.example', true],
  ]
  for (const [url, base, may] of table) {
    t.equal(mayReach(url, base, ['channel', 'named.example']), may, `${base} ${url}`)
  }
})
