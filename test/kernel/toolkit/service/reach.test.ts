/** Where a provider may send a channel's key. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
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

t.test(
  'an address an admin wrote into a field the manifest names may be called (X1)',
  async (t) => {
    const base = 'https://api.acme.example'
    const settings: JsonObject = {
      routes: {
        list: [{ to: 'https://other.example/v1/{model}' }, { to: 'HTTP://10.0.0.7:8000/v1' }],
      },
      note: 'https://note.example',
      spoken: {
        text: 'see https://spoken.example',
        port: 7,
        nothing: null,
        sock: 'wss://live.example',
      },
    }
    const hosts = ['channel', 'channelSettings.routes', 'channelSettings.spoken']
    const table: readonly (readonly [url: string, may: boolean])[] = [
      [`${base}/v1`, true],
      ['https://other.example/v1/gpt-5?a=1', true],
      ['https://other.example', true],
      ['wss://other.example/v1/realtime', true],
      ['https://live.example/v1', true],
      ['http://10.0.0.7:8000/v1/chat', true],
      ['http://other.example/v1', false],
      ['ws://other.example/v1', false],
      ['https://10.0.0.7:8000/v1', false],
      ['http://10.0.0.7/v1', false],
      ['https://other.example.evil.example/v1', false],
      ['https://other.example@evil.example/v1', false],
      ['https://a.other.example/v1', false],
      ['https://spoken.example/', false],
      ['https://note.example/', false],
      ['file:///etc/passwd', false],
    ]
    for (const [url, may] of table) t.equal(mayReach(url, base, hosts, settings), may, url)
    t.equal(mayReach('https://other.example/v1', base, ['channel'], settings), false, 'not named')
    t.equal(mayReach('https://other.example/v1', base, hosts), false, 'not written')
    t.equal(mayReach('https://other.example/v1', '', hosts, settings), true, 'without a base URL')
    t.equal(mayReach('https://note.example', base, ['channelSettings.note'], settings), true)
  },
)

t.test('fields are searched once, however often they are asked for and however deep', async (t) => {
  let deep: JsonObject = { to: 'https://deep.example' }
  for (let at = 0; at < 20_000; at++) deep = { deep }
  let reads = 0
  const field = new Proxy(deep, {
    ownKeys(target) {
      reads += 1
      return Reflect.ownKeys(target)
    },
  })
  for (let at = 0; at < 3; at++) {
    const may = mayReach('https://deep.example/v1', '', ['channelSettings.routes'], {
      routes: field,
    })
    t.equal(may, true)
  }
  t.equal(reads, 1)
})
