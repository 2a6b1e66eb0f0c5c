/** A provider that breaks a rule of its vendor, or reads an exchange wrong: the kit notices, and it notices facts without a source. */
import t from 'tap'
import type { Adapter, OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { conformingExchange, type VendorExchange } from './vendor-exchanges.js'
import { conformingQuirk, type VendorQuirk } from './vendor-quirks.js'

const dated = { source: 'acme.example/docs', read: '2026-11-27' }
const channel = { id: 1, type: 1, baseUrl: 'https://acme.example', settings: {} }
const shared: Pick<Adapter, 'address' | 'fail'> = {
  address: (_wire, { baseUrl }) => ({ method: 'POST', url: `${baseUrl}/v1/chat`, headers: {} }),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

/** Titles of what failed. */
function noticed(kit: (test: (title: string, run: () => unknown) => void) => void): string[] {
  const failed: string[] = []
  kit((title, run) => {
    try {
      run()
    } catch {
      failed.push(title)
    }
  })
  return failed
}

const quirk: VendorQuirk = {
  ...dated,
  rule: 'no seed',
  wire: { model: 'a', seed: 1 },
  broken: ({ seed }) => seed !== undefined,
  lost: ['seed'],
}
const sound: Adapter = { ...shared, format: 'chat', refuses: () => ['seed'] }

t.test('a rule that is broken, without need or without a source is noticed', async (t) => {
  const of = (adapter: Adapter, over: Partial<VendorQuirk> = {}) =>
    noticed((test) => conformingQuirk(test, { adapter, channel, quirk: { ...quirk, ...over } }))
  const failed = ['rule of the vendor: no seed']
  t.strictSame(of(sound), [])
  t.strictSame(of({ ...shared, format: 'chat' }), failed, 'it is not kept')
  t.strictSame(of({ ...sound, adjust: (wire) => ({ ...wire, seed: 2 }) }), failed)
  t.strictSame(of(sound, { wire: { model: 'a' } }), failed, 'nothing breaks it')
  t.strictSame(of(sound, { lost: [] }), failed, 'the loss is not named')
  t.strictSame(of(sound, { source: ' ' }), failed)
  t.strictSame(of(sound, { read: 'last week' }), failed)
})

const images: OwnOperationAdapter = {
  ...shared,
  format: 'own',
  shape: (body) =>
    body.kind === 'json' ? { kind: 'json', value: { text: body.value.prompt ?? '' } } : body,
  answer: (whole) => ({ json: { data: replyObject(whole.body)?.pictures ?? [] } }),
}
const exchange: VendorExchange = {
  ...dated,
  name: 'picture',
  operation: 'images',
  wire: { model: 'a', prompt: 'A cat' },
  request: { path: '/v1/chat', body: { text: 'A cat' } },
  answer: { body: { pictures: [{ url: 'u' }] } },
  expected: { json: { data: [{ url: 'u' }] } },
}

t.test('an exchange that is written or read in another way is noticed', async (t) => {
  const of = (change: Partial<OwnOperationAdapter>, over: Partial<VendorExchange> = {}) =>
    noticed((test) =>
      conformingExchange(test, {
        adapter: { ...images, ...change },
        channel,
        exchange: { ...exchange, ...over },
      }),
    )
  const sent = 'exchange picture: the vendor is sent what it was sent then'
  const read = 'exchange picture: its answer is read as it was meant'
  t.strictSame(of({}), [])
  t.strictSame(of({ shape: (body) => body }), [sent])
  t.strictSame(of({}, { request: { path: '/v2', body: { text: 'A cat' } } }), [sent])
  t.strictSame(of({ answer: () => ({ json: {} }) }), [read])
  t.strictSame(of({}, { read: '' }), [sent])
  const refusal = { status: 429, body: { error: { message: 'slow' } } }
  t.strictSame(of({}, { answer: refusal, expected: { failure: 'channel' } }), [])
  t.strictSame(of({}, { answer: refusal, expected: { failure: 'client' } }), [read])
})
