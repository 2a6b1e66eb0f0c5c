/** Full tests of channels: what becomes of each request, what they cost whom, and their bounds. */

import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { ProbeRequest, ProbeResult } from '../../../kernel/contract/services/probe.js'
import { noPeers } from '../../../kernel/peers.js'
import createTests, { type FullTestOptions } from '../../../plugins/services/channel-tests/index.js'
import { createFacts } from '../../../plugins/services/model-registry/facts.js'
import { FakeClock } from '../../kit/clock.js'
import { channel } from '../../kit/line-fakes.js'
import { chat as wire } from '../../kit/upstream.js'
import { providers, RecordingLog, settingsOf } from '../management/management-fixture.js'

type Reply = (request: ProbeRequest) => Partial<ProbeResult> | Promise<Partial<ProbeResult>>

function bench(reply: Reply = served) {
  const requests: ProbeRequest[] = []
  const clock = new FakeClock()
  const facts = createFacts()
  const tests = createTests({
    ...{ settings: settingsOf({}), clock, log: new RecordingLog() },
    services: {
      peers: noPeers,
      probe: {
        async run(request) {
          requests.push(request)
          return { model: 'm', ms: 1, head: '', ...(await reply(request)) }
        },
      },
      providers,
      'model-registry': {
        describe: facts.describe,
        about: () => ({ about: {}, byAdmin: [] }),
        known: () => undefined,
        revision: () => 0,
        served: () => new Map(),
      },
    },
  })
  const full = (over: Partial<FullTestOptions> = {}, of: Channel = tested) =>
    tests.full(of, { models: async () => ['m-1', 'm-2'], ...over })
  return { tests, full, requests, clock }
}

const tested: Channel = { ...channel(1), models: new Set(['m-1', 'text-embedding-3-small']) }

const refusal: Failure = {
  ...{ blame: 'channel', status: 404, code: 'upstream_error' },
  message: 'The upstream failed: it does not know this model or path.',
  upstreamMessage: 'no such model for upstream-key',
}

/** Does all it is asked for. */
function served({ operation, body }: ProbeRequest): Partial<ProbeResult> {
  const value = (body.kind === 'json' ? body.value : {}) as Record<string, unknown>
  const words = JSON.stringify(value.messages ?? '')
  if (operation === 'embeddings') {
    return { head: JSON.stringify({ data: [{ embedding: [1, 2, 3] }, { embedding: [4, 5, 6] }] }) }
  }
  if (value.model !== 'm-1') return { failure: refusal }
  if (value.stream === true) {
    return {
      head: wire.delta('one ') + wire.delta('two') + wire.stop() + wire.usage(9, 3) + wire.done,
    }
  }
  if (value.tools !== undefined && !words.includes('"role":"tool"')) {
    const cities = words.includes('Oslo') ? ['Paris', 'Oslo'] : ['Paris']
    return { head: JSON.stringify(calling(cities)) }
  }
  const content = value.response_format === undefined ? 'pong' : '{"city":"Paris"}'
  return { head: JSON.stringify(wire.whole(content, 9, 3)) }
}

function calling(cities: readonly string[]) {
  const calls = cities.map((city, at) => ({
    ...{ id: `call_${at}`, type: 'function' },
    function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
  }))
  const message = { role: 'assistant', content: null, tool_calls: calls }
  return { ...wire.whole('', 9, 3), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
}

t.test('every request goes down the line', async (t) => {
  const { tests, full, requests } = bench()
  const results = await full({ model: 'm-1' })
  t.same(
    results.map(({ name }) => name),
    tests.requestNames,
  )
  t.equal(results.length, 13)
  t.same(
    results
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ name, outcome }) => [name, outcome]),
    [],
    JSON.stringify(results),
  )
  const words = Object.fromEntries(results.map((result) => [result.name, result.words]))
  t.match(words, {
    text: 'pong',
    stream: /^2 pieces in .* with usage$/,
    'parallel tool calls': '2 calls',
    error: '502 upstream_error',
    'model list': '2 models',
    cancel: 'left after the first bytes',
    embeddings: '2 vectors of 3',
  })
  t.ok(
    requests.every((request) => request.channel === tested && request.key.text === 'upstream-key'),
  )
  t.equal(requests.filter(({ leavesEarly }) => leavesEarly).length, 1)
  const embedding = requests.find(({ operation }) => operation === 'embeddings')
  t.match(embedding?.body, { value: { model: 'text-embedding-3-small' } }, 'the channel’s own')
})

t.test('what fails says why, without the key', async (t) => {
  const { full } = bench(() => ({ failure: refusal }))
  const [text, error] = await full({ only: ['error', 'text'], model: 'm-1' })
  t.match(text, { name: 'text', outcome: 'failed', words: /^502: .*no such model for \*\*\*$/ })
  t.match(error, { name: 'error', outcome: 'passed' })
  const models = async () => Promise.reject(new Error('upstream-key is wrong'))
  t.match(await full({ only: ['model list'], models }), [
    { outcome: 'failed', words: '*** is wrong' },
  ])
})

t.test(
  '[ERR-2] no part of the key is in what an upstream repeats, however it is cut',
  async (t) => {
    const key = 'sk-abcdefghijklmnopqrstuvwxyz0123456789'
    const text = 'x'.repeat(40) + key
    const escaped = [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')
    const keyed: Channel = { ...tested, keys: [{ id: 1, text: key, enabled: true }] }
    for (const head of [
      JSON.stringify(wire.whole(text, 1, 1)),
      JSON.stringify(calling([text])),
      JSON.stringify(calling([text])).replaceAll(key, escaped.replaceAll('\\', '\\\\')),
      JSON.stringify(wire.whole(text, 1, 1)).replace(key, escaped),
      JSON.stringify(wire.whole(key, 1, 1)),
    ]) {
      const { full } = bench(() => ({ head }))
      const shown = JSON.stringify(await full({ model: 'm-1' }, keyed))
      t.notMatch(shown, key.slice(0, 9), head)
    }
  },
)

t.test('what an upstream writes has no command for a terminal in it', async (t) => {
  const { full } = bench(() => ({
    head: JSON.stringify(wire.whole('\u001b[2Ja\u0000\u202eb', 1, 1)),
  }))
  const [text] = await full({ only: ['text'], model: 'm-1' })
  t.equal(text?.words, '[2Ja b')
})

t.test('without a model for embeddings those are skipped', async (t) => {
  const { full } = bench()
  const plain = { ...tested, models: new Set(['m-1']) }
  t.match(await full({ only: ['embeddings'] }, plain), [{ outcome: 'skipped' }])
  t.match(await full({ only: ['embeddings'], embeddingModel: 'e' }, plain), [{ outcome: 'passed' }])
})

t.test('of a channel one runs at a time', async (t) => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { full, requests } = bench(async (request) => {
    await held
    return served(request)
  })
  const first = full({ only: ['text'] })
  await new Promise((turn) => setImmediate(turn))
  await t.rejects(full({ only: ['text'] }), { code: 'conflict' })
  const other = full({ only: ['text'] }, { ...tested, id: 2 })
  letGo()
  t.match(await first, [{ outcome: 'passed' }])
  t.match(await other, [{ outcome: 'passed' }])
  t.match(await full({ only: ['text'] }), [{ outcome: 'passed' }], 'and again once it is over')
  t.equal(requests.length, 3)
})

t.test('after five minutes, or once the caller has left, nothing more is begun', async (t) => {
  const slow = bench((request) => {
    slow.clock.advance(100_000)
    return served(request)
  })
  const results = await slow.full({ only: ['text', 'reasoning', 'image', 'JSON schema'] })
  t.same(
    results.map(({ outcome, ms }) => [outcome, ms]),
    [
      ['passed', 100_000],
      ['passed', 100_000],
      ['passed', 100_000],
      ['skipped', 0],
    ],
  )
  const leaving = new AbortController()
  const left = bench((request) => {
    leaving.abort()
    return served(request)
  })
  const outcomes = await left.full({ only: ['text', 'reasoning'], signal: leaving.signal })
  t.match(outcomes, [{ outcome: 'passed' }, { outcome: 'skipped', words: 'the test had ended' }])
  t.equal(left.requests.length, 1)
})

t.test('a channel without a model or a key is refused', async (t) => {
  const { full, requests } = bench()
  await t.rejects(full({}, { ...tested, models: new Set() }), { code: 'invalid_request' })
  await t.rejects(full({}, { ...tested, keys: [] }), { code: 'channel:no_available_key' })
  t.equal(requests.length, 0)
})
