/** What the kit notices of calls before an operation's own: mistakes planted into an adapter that does it right. */
import t from 'tap'
import type { Adapter } from '../../kernel/contract/provider.js'
import { changed } from '../../kernel/toolkit/body/index.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { conformingPreparation, type PreparationCase } from './preparations.js'
import { key } from './refusals.js'

type Prepare = NonNullable<Adapter['prepare']>

const request = (url: string, more: object = {}) => ({
  ...{
    method: 'POST' as const,
    url,
    headers: { authorization: `Bearer ${key}` },
    body: 'the file',
  },
  ...more,
})

const right: Prepare = async (wire, { baseUrl }, _, { fetch }) => {
  const { status, headers, body } = await fetch(request(`${baseUrl}/files`))
  const id = status === 201 ? body.toString() : undefined
  if (id === undefined || wire.kind !== 'json')
    return {
      failure: upstreamFailure({ status: status === 200 ? 502 : status, headers, head: body }),
    }
  return changed(wire, { ...wire.value, file: id })
}

const value = { model: 'm', file: 'waits' }
const one: PreparationCase = {
  name: 'a file',
  operation: 'chat',
  wire: { kind: 'json', value, bytes: Buffer.from(JSON.stringify(value)) },
  calls: [
    { url: 'https://a.example/files', holds: ['the file'], answer: { status: 201, text: 'f-1' } },
  ],
  json: { model: 'm', file: 'f-1' },
}

/** Words of what the kit finds. */
async function found(prepare: Prepare): Promise<string> {
  const words: string[] = []
  const tests: (() => unknown)[] = []
  conformingPreparation(
    (_, run) => void tests.push(run),
    {
      adapter: { prepare } as Adapter,
      channel: { id: 1, type: 901, baseUrl: 'https://a.example', settings: {} },
      credentials: { key },
      hosts: ['channel'],
    },
    one,
  )
  for (const run of tests) {
    try {
      await run()
    } catch (error) {
      words.push(String(error))
    }
  }
  return words.join('\n')
}

t.test('an adapter that does it right passes', async (t) => {
  t.equal(await found(right), '')
})

const planted: Readonly<Record<string, readonly [Prepare, RegExp]>> = {
  'the bytes of another body stay': [
    async (wire, channel, credentials, context) => {
      const done = await right(wire, channel, credentials, context)
      return 'failure' in done || done.kind !== 'json' || wire.kind !== 'json'
        ? done
        : { ...done, bytes: wire.bytes! }
    },
    /waits/,
  ],
  'a refusal is taken for an answer': [
    async (wire, { baseUrl }, _, { fetch }) => {
      const { body } = await fetch(request(`${baseUrl}/files`))
      return wire.kind === 'json' ? changed(wire, { ...wire.value, file: body.toString() }) : wire
    },
    /taken for a success/,
  ],
  'the key stands in the address': [
    async (wire, channel, credentials, { fetch, ...context }) =>
      right(wire, channel, credentials, {
        ...context,
        fetch: (sent) => fetch({ ...sent, url: `${sent.url}?key=${key}` }),
      }),
    /end up in logs/,
  ],
  'it calls another host': [
    async (wire, channel, credentials, context) =>
      right(wire, { ...channel, baseUrl: 'https://b.example' }, credentials, context),
    /stays at the hosts/,
  ],
  'it calls twice': [
    async (wire, channel, credentials, context) => {
      await right(wire, channel, credentials, context)
      return right(wire, channel, credentials, context)
    },
    /is not expected/,
  ],
  'what a call came to is swallowed': [
    async (wire, channel, credentials, context) =>
      right(wire, channel, credentials, context).catch(() => wire),
    /Missing expected rejection/,
  ],
}

for (const [name, [prepare, words]] of Object.entries(planted)) {
  t.test(`it is noticed where ${name}`, async (t) => {
    t.match(await found(prepare), words)
  })
}
