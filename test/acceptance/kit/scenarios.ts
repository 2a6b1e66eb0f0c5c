/**
 * The scenarios every client goes through at an upstream of every format: what the client asks arrives in the upstream's
 * own words, what the upstream states arrives in the client's, and what it counted is what is charged.
 */
import type { Test } from 'tap'
import { events } from '../../kit/upstream.js'
import type { Abilities, Answer, Client, Counts, Question, Tool } from './client.js'
import type { Heard } from './heard.js'
import {
  broken,
  counted,
  halves,
  parallel,
  recorded,
  refusal,
  thought,
  tooHigh,
} from './recordings.js'
import { channels, type Upstreams, type Wire } from './upstreams.js'

/** One client library at one upstream. */
export interface Pair<History> {
  readonly gateway: Upstreams
  readonly client: Client<History>
  readonly wire: Wire
  readonly ask: (question: Omit<Question<History>, 'model'>) => Promise<Answer<History>>
  /** What the upstream was queried last. */
  readonly heard: () => Heard
}

type Scenario = <History>(t: Test, pair: Pair<History>) => Promise<void>

const places = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'number' }, unit: { type: 'string' } },
  required: ['city'],
}
const weather: Tool = {
  name: 'get_weather',
  description: 'Tells the weather.',
  schema: { ...places, additionalProperties: false },
}
const time: Tool = {
  name: 'get_time',
  description: 'Tells the time.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
}
const tools = [weather, time]

const square = {
  mime: 'image/png',
  base64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

const ways = [false, true]

const upstreamFailed = /The upstream failed: it /
export const brokenOff = 'an error in the middle of a stream is one, and what came is charged'

export const scenarios: Readonly<Record<string, Scenario>> = {
  'a text comes back, whole and in pieces': async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const content = 'It is a fine day, and it will stay one.'
    gateway.mock.onMessage(/day/, { content }, { chunkSize: 6 })
    gateway.upstream.script(gateway.asMocked)
    for (const stream of ways) {
      const answer = await ask({ stream, system: 'Be brief.', prompt: 'What a day?' })
      t.equal(answer.text, content)
      if (stream) t.ok(answer.pieces > 2, 'in pieces')
      t.match(pair.heard(), { instructions: 'Be brief.', texts: ['What a day?'], streams: stream })
      const { path, headers } = gateway.upstream.requests.at(-1)!
      t.match(path, channels[wire].paths)
      t.match(headers[channels[wire].keyHeader], /upstream-key$/)
      t.notOk(JSON.stringify(headers).includes(gateway.key), `the key of ${client.name} stays here`)
    }
  },

  'a tool is called, its result goes back, the answer comes': async (t, pair) => {
    const { gateway, ask } = pair
    gateway.mock.on({ hasToolResult: true }, { content: 'Take a coat in Oslo.' })
    gateway.mock.onMessage(/Oslo/, {
      toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }],
    })
    gateway.upstream.script(gateway.asMocked)
    for (const stream of ways) {
      const first = await ask({ stream, tools, prompt: 'A coat in Oslo?' })
      t.match(first.calls, [{ name: 'get_weather', input: { city: 'Oslo' } }])
      t.equal(first.calls.length, 1)
      t.match(pair.heard().tools, [{ name: 'get_weather', schema: places }, { name: 'get_time' }])
      const results = [{ call: first.calls[0]!, output: 'snow' }]
      const second = await ask({ stream, tools, after: first, results })
      t.equal(second.text, 'Take a coat in Oslo.')
      const { texts, calls, results: back } = pair.heard()
      t.strictSame(texts, ['A coat in Oslo?'])
      t.match(calls, [{ name: 'get_weather', input: { city: 'Oslo' } }])
      t.match(back, [{ id: calls[0]!.id, text: /snow/ }])
    }
  },

  'two calls in one answer, their results and their seals go back': async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const { name, calls, seals, callSeals, placeholders } = parallel[wire]
    for (const stream of ways) {
      gateway.upstream.script(recorded(name, stream), recorded(counted[wire].name, stream))
      const first = await ask({ stream, tools, thinks: true, prompt: 'Weather and time?' })
      t.strictSame(
        first.calls.map(({ name, input }) => ({ name, input })),
        calls,
      )
      const results = first.calls.map((call, at) => ({ call, output: `result ${at}` }))
      const second = await ask({ stream, tools, thinks: true, after: first, results })
      t.equal(second.text, counted[wire].text)
      const { calls: sent, results: back, seals: sealed } = pair.heard()
      t.strictSame(
        sent.map(({ name, input }) => ({ name, input })),
        calls,
      )
      t.match(
        back,
        sent.map(({ id }, at) => ({ id, text: `result ${at}` })),
      )
      const ofCalls = client.abilities.callSeals ? callSeals : placeholders
      const ofThoughts = sealed.filter((seal) => !ofCalls.includes(seal))
      keepsSeals(t, ofThoughts, seals, client.abilities.seals)
      t.strictSame(
        sealed.filter((seal) => ofCalls.includes(seal)),
        ofCalls,
      )
    }
  },

  'an image arrives': async (t, pair) => {
    const { gateway, ask } = pair
    gateway.mock.onMessage(/see/, { content: 'A square.' })
    gateway.upstream.script(gateway.asMocked)
    const answer = await ask({ stream: false, prompt: 'What do you see?', image: square })
    t.equal(answer.text, 'A square.')
    t.strictSame(pair.heard().images, [square])
    t.strictSame(pair.heard().texts, ['What do you see?'])
  },

  'the wanted shape of the answer arrives': async (t, pair) => {
    const { gateway, ask } = pair
    gateway.mock.onMessage(/capital/, { content: '{"city":"Oslo"}' })
    gateway.upstream.script(gateway.asMocked)
    for (const stream of ways) {
      const prompt = 'The capital of Norway?'
      const answer = await ask({ stream, prompt, schema: city })
      t.strictSame(JSON.parse(answer.text), { city: 'Oslo' })
      t.match(pair.heard().schema, { properties: city.properties, required: city.required })
    }
  },

  'reasoning is shown, and goes back to its issuer under its seal': async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const { name, reasoning, text, seals } = thought[wire]
    for (const stream of ways) {
      gateway.upstream.script(recorded(name, stream), recorded(counted[wire].name, stream))
      const first = await ask({ stream, thinks: true, prompt: '27 * 453?' })
      t.ok(pair.heard().thinks, 'the wish to think arrives')
      t.equal(first.text, text)
      t.equal(first.reasoning, client.abilities.reasoning ? reasoning : '')
      await ask({ stream, thinks: true, after: first, prompt: 'And now?' })
      t.match(pair.heard().texts, ['27 * 453?', 'And now?'])
      keepsSeals(t, pair.heard().seals, seals, client.abilities.seals)
    }
  },

  'usage is reported and charged to the unit': async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const { name, text, counts, quota } = counted[wire]
    for (const stream of ways) {
      gateway.upstream.script(recorded(name, stream))
      const before = await gateway.balance()
      const answer = await ask({ stream, prompt: 'Hello' })
      t.equal(answer.text, text)
      t.strictSame(answer.counts, shown(counts, client.abilities.counts))
      t.equal(before - (await gateway.balance()), BigInt(quota))
      const [row] = await gateway.logs()
      t.match(row, {
        quota,
        prompt_tokens: counts.prompt,
        completion_tokens: counts.completion,
        model_name: channels[wire].model,
        is_stream: stream,
      })
    }
  },

  "a refusal is the library's own error and costs nothing": async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const before = await gateway.balance()
    for (const stream of ways) {
      for (const status of [400, 429, 500] as const) {
        gateway.upstream.script(refusal(wire, status))
        const reason = await ask({ stream, prompt: 'Hello' }).catch((error: unknown) => error)
        const result = client.statusOf(reason)
        t.equal(result?.status, status === 500 ? 502 : status)
        t.match(result?.message, status === 400 ? tooHigh : upstreamFailed)
      }
    }
    t.equal(await gateway.balance(), before)
  },

  [brokenOff]: async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    gateway.upstream.script(recorded(broken[wire], true))
    const before = await gateway.balance()
    const reason = await ask({ stream: true, prompt: 'Hello' }).catch((error: unknown) => error)
    t.type(reason, Error)
    if (client.abilities.streamErrors === 'reported') t.match(reason, { message: upstreamFailed })
    t.ok((await gateway.balance()) < before)
  },

  'a client that goes in the middle is charged by policy': async (t, pair) => {
    const { gateway, client, wire, ask } = pair
    const { name, text, quota } = counted[wire]
    const [head, rest] = halves(wire, name)
    let gone: () => void = () => {}
    const left = new Promise<void>((resolve) => {
      gone = resolve
    })
    gateway.upstream.script(events(head, left, rest))
    const before = await gateway.balance()
    await client.leave({ stream: true, model: channels[wire].model, prompt: 'Hello' })
    gone()
    t.equal(before - (await gateway.balance()), BigInt(quota), 'read on and billed as reported')
    gateway.upstream.script(recorded(name, false))
    t.equal((await ask({ stream: false, prompt: 'Hello' })).text, text)
  },
}

function keepsSeals(
  t: Test,
  came: readonly string[],
  given: readonly string[],
  kept: Abilities['seals'],
): void {
  if (kept === 'some')
    t.notOk(
      came.some((seal) => !given.includes(seal)),
      'no other seals',
    )
  else t.strictSame(came, kept === 'all' ? given : [])
}

/** The counts a library has a place for; others are 0. */
function shown(counts: Counts, known: readonly (keyof Counts)[]): Counts {
  const kept = (key: keyof Counts) => (known.includes(key) ? counts[key] : 0)
  return {
    prompt: counts.prompt,
    completion: counts.completion,
    cacheRead: kept('cacheRead'),
    cacheWrite: kept('cacheWrite'),
    reasoning: kept('reasoning'),
  }
}
