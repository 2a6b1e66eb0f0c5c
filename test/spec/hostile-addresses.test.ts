/**
 * Where the gateway may be sent by what an admin writes and an upstream answers (X1): metadata services and
 * link-local addresses never, in whatever spelling; private ones only where the operator allows them.
 */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { json, scriptedUpstream } from '../kit/upstream.js'

const model = 'gpt-4o-mini'
const plain = { type: 1, name: 'plain', key: 'upstream-key', models: model }

/** Hosts, each the metadata service or nobody's to call. */
const never: Readonly<Record<string, string>> = {
  plain: '169.254.169.254',
  decimal: '2852039166',
  octal: '0251.0376.0251.0376',
  hexadecimal: '0xa9fea9fe',
  'hexadecimal by parts': '0xa9.0xfe.0xa9.0xfe',
  short: '169.254.43518',
  'with a dot behind': '169.254.169.254.',
  'in full-width digits': '１６９.254.169.254',
  mapped: '[::ffff:169.254.169.254]',
  'mapped in hexadecimal': '[::ffff:a9fe:a9fe]',
  compatible: '[::a9fe:a9fe]',
  NAT64: '[64:ff9b::a9fe:a9fe]',
  '6to4': '[2002:a9fe:a9fe::]',
  'link-local': '169.254.0.1',
  'link-local of version 6': '[fe80::1]',
  'unique-local metadata': '[fd00:ec2::254]',
  'metadata in shared space': '100.100.100.200',
  unspecified: '0.0.0.0',
  'unspecified of version 6': '[::]',
  multicast: '224.0.0.1',
  broadcast: '255.255.255.255',
}

const { admin, chat, gateway } = await startGateway(t)
await admin.option('ModelRatio', { [model]: 1 })
const id = await admin.channel({ ...plain, base_url: 'http://127.0.0.1:9' })

/** Codes of all that can be queried of the channel as it is now. */
async function answers(): Promise<Readonly<Record<string, unknown>>> {
  await admin.call('POST', `/api/channel/${id}/breakers/reset`, {})
  const relayed = (await (
    await chat({ model, messages: [{ role: 'user', content: 'hi' }] })
  ).json()) as { error?: { code?: string } }
  const tested = await admin.call('GET', `/api/channel/test/${id}`)
  const listed = await admin.call('GET', `/api/channel/fetch_models/${id}`)
  const balance = await admin.call('GET', `/api/channel/update_balance/${id}`)
  return {
    relayed: relayed.error?.code,
    tested: tested.body.data.code,
    listed: listed.body.code,
    balance: balance.body.code,
  }
}

const refused = 'channel:address_refused'
const allRefused = { relayed: refused, tested: refused, listed: refused, balance: refused }

for (const [spelling, host] of Object.entries(never)) {
  t.test(`no call goes to an address that is nobody's: ${spelling}`, async (t) => {
    await admin.must('PUT', '/api/channel/', {
      id,
      key: 'k',
      base_url: `http://${host}`,
      setting: {},
    })
    t.strictSame(await answers(), allRefused, 'of a channel')
    const draft = { type: 1, key: 'k', base_url: `http://${host}/` }
    const drafted = await admin.call('POST', '/api/channel/fetch_models', draft)
    t.equal(drafted.body.code, refused, 'of a draft')
    for (const scheme of ['http', 'socks5']) {
      const setting = { proxy: `${scheme}://user:pass@${host}:3128` }
      const changed = await admin.call('PUT', '/api/channel/', {
        id,
        key: 'k',
        base_url: 'http://127.0.0.1:9',
        setting,
      })
      if (changed.status === 400) continue
      const results = Object.values(await answers())
      t.ok(
        results.every((code) => code === refused || code === 'upstream_unreachable'),
        `through a proxy by ${scheme}: ${results}`,
      )
    }
  })
}

t.test('what is no address of an upstream cannot be saved', async (t) => {
  for (const base_url of [
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'unix:/run/docker.sock',
    'javascript:alert(1)',
    'http://user:pass@127.0.0.1/',
    'http://',
    '//127.0.0.1/',
    '127.0.0.1:80',
    'http://127.0.0.1/#x',
  ]) {
    t.equal((await admin.call('PUT', '/api/channel/', { id, base_url })).status, 400, base_url)
    const draft = { type: 1, key: 'k', base_url }
    const drafted = await admin.call('POST', '/api/channel/fetch_models', draft)
    t.equal(drafted.status, 400, `${base_url} of a draft`)
  }
})

t.test('a redirect is an answer and never followed', async (t) => {
  const elsewhere = await scriptedUpstream(t)
  elsewhere.script(json(200, { data: [{ id: 'stolen' }] }))
  const upstream = await scriptedUpstream(t)
  await admin.must('PUT', '/api/channel/', { id, key: 'k', base_url: upstream.url, setting: {} })
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [elsewhere.url, 'http://169.254.169.254/latest/meta-data/']) {
      upstream.script(json(status, {}, { location }))
      const result = await answers()
      t.ok(
        Object.values(result).every((code) => String(code).startsWith('upstream_')),
        `${status} to ${location}: ${JSON.stringify(result)}`,
      )
    }
  }
  t.equal(elsewhere.requests.length, 0)
})

t.test('pages of a list stay with their upstream, whatever is named as the next', async (t) => {
  const elsewhere = await scriptedUpstream(t)
  elsewhere.script(json(200, { data: [{ id: 'stolen' }] }))
  const { host } = new URL(elsewhere.url)
  const pages: readonly (readonly [type: number, page: (next: string) => object])[] = [
    [14, (next) => ({ data: [{ id: 'a' }], has_more: true, last_id: next })],
    [
      24,
      (next) => ({
        models: [{ name: 'models/a', supportedGenerationMethods: ['generateContent'] }],
        nextPageToken: next,
      }),
    ],
    [34, (next) => ({ models: [{ name: 'a', endpoints: ['chat'] }], next_page_token: next })],
  ]
  const hostile = [
    elsewhere.url,
    `@${host}/`,
    `//${host}/`,
    `\\\\${host}`,
    `x#@${host}`,
    `x&key=y\r\nHost: ${host}`,
    '../../../latest',
  ]
  for (const [type, page] of pages) {
    for (const next of hostile) {
      const upstream = await scriptedUpstream(t)
      upstream.script(json(200, page(next)), json(200, { data: [], models: [] }))
      const draft = { type, key: 'k', base_url: upstream.url }
      const { body } = await admin.call('POST', '/api/channel/fetch_models', draft)
      t.strictSame(body.data, ['a'], `type ${type}, ${JSON.stringify(next)}`)
      t.equal(upstream.requests.length, 2, 'the second page is queried of the same upstream')
      t.equal(new URL(upstream.requests[1]!.path, upstream.url).host, new URL(upstream.url).host)
    }
  }
  t.equal(elsewhere.requests.length, 0)
})

t.test('private addresses are called only where the operator allows it', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, { data: [{ id: 'a' }] }))
  const strict = await startGateway(t, { environment: { allowPrivateUpstreams: false } })
  const { port } = new URL(upstream.url)
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0177.1',
    '[::1]',
    '[::ffff:7f00:1]',
  ]) {
    for (const setting of [{}, { proxy: `http://${host}:${port}` }]) {
      const base_url = 'proxy' in setting ? 'http://1.1.1.1' : `http://${host}:${port}`
      const channel = await strict.admin.channel({ ...plain, base_url, setting })
      const { body } = await strict.admin.call('GET', `/api/channel/fetch_models/${channel}`)
      t.equal(body.code, refused, `${base_url} ${JSON.stringify(setting)}`)
    }
  }
  for (const host of ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fc00::1]']) {
    const draft = { type: 1, key: 'k', base_url: `http://${host}:${port}` }
    const { body } = await strict.admin.call('POST', '/api/channel/fetch_models', draft)
    t.equal(body.code, refused, host)
  }
  t.equal(upstream.requests.length, 0)
  await gateway.idle()
})

t.test('the option of that name holds at once, and the environment goes before it', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, { data: [{ id: 'a' }] }))
  const drafts = [upstream.url, upstream.url.replace('127.0.0.1', 'localhost')].map((base_url) => ({
    ...{ type: 1, key: 'k', base_url },
  }))
  const rows = [
    [undefined, true, undefined],
    [undefined, false, refused],
    [true, false, undefined],
    [false, true, refused],
  ] as const
  for (const [allowPrivateUpstreams, option, code] of rows) {
    const { admin } = await startGateway(t, { environment: { allowPrivateUpstreams } })
    for (const draft of drafts) {
      const sendRequest = async () =>
        (await admin.call('POST', '/api/channel/fetch_models', draft)).body.code
      await admin.option('PrivateUpstreamsEnabled', true)
      t.equal(await sendRequest(), allowPrivateUpstreams === false ? refused : undefined)
      // The connection is kept, and the address known to be sound, under the rule before.
      await admin.option('PrivateUpstreamsEnabled', option)
      t.equal(await sendRequest(), code, `${allowPrivateUpstreams} ${option} ${draft.base_url}`)
    }
  }
})
