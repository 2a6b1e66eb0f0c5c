/** A small provider with a chat form of its own, sound in every respect: what faults are planted into. */
import type { Call, Part } from '../../kernel/contract/call.js'
import type { Event, Stop } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { failureOfError, upstreamFailure } from '../../kernel/toolkit/errors/upstream-failure.js'
import { parsedObject } from '../../kernel/toolkit/operation/operation-answer.js'
import { normalBase } from '../../kernel/toolkit/provider/address.js'
import { bearerRequest } from '../../kernel/toolkit/provider/bearer-request.js'
import { StreamOrBody } from '../../kernel/toolkit/provider/stream-or-body.js'
import type { DecodedResponse } from './decoded-response.js'
import type { WriteCase } from './own-form.js'

export const exampleManifest = JSON.stringify({
  ...{
    id: 'provider.acme',
    kind: 'provider',
    engines: { waybill: '^1.0' },
    version: '1.0.0',
    title: 'Acme',
  },
  ...{ entry: './index.js', hosts: ['channel'] },
  channelTypes: [{ id: 901, name: 'acme', baseUrl: 'https://api.acme.example' }],
})

export const example: Adapter = {
  format: 'own',
  streamTypes: ['application/json'],
  expresses: ['system', 'tools', 'limit', 'sampling.temperature'],
  // A choice of tools is not among what it expresses, so the gateway refuses it.
  encode,
  address: (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(`${normalBase(baseUrl)}/v1/talk`, credentials, context),
  read: readTalk,
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

function encode({ model, turns, tools, limit, sampling }: Call): JsonObject {
  const { temperature } = sampling
  const functions = tools.filter((tool) => tool.kind === 'function')
  return {
    to: model,
    talk: turns.map(({ role, parts }) => ({ who: role, content: parts.map(contentOf) })),
    ...(functions.length > 0 && {
      abilities: functions.map(({ name, schema = {} }) => ({ name, schema })),
    }),
    ...(limit !== undefined && { longest: limit.tokens }),
    ...(temperature !== undefined && { warmth: temperature }),
  }
}

function contentOf(part: Part): JsonObject {
  switch (part.kind) {
    case 'text':
      return { text: part.text }
    case 'toolCall':
      return { asks: part.name, with: part.input, id: part.id }
    case 'toolResult':
      return { answers: part.callId, content: part.parts.map(contentOf) }
    default:
      return {}
  }
}

const at = (part: number) => ({ choice: 0, part })

function readTalk(): Transform<Buffer, Event> {
  let parts = 0
  let open: 'text' | 'tool' | undefined
  let over = false

  function close(): Event[] {
    if (open === undefined) return []
    open = undefined
    return [{ type: 'close', at: at(parts - 1) }]
  }

  function fail(status: number): Event[] {
    if (over) return []
    over = true
    return [{ type: 'failure', failure: failureOfError({ blame: 'upstream' }, status) }]
  }

  function take(event: JsonObject | undefined): Event[] {
    if (over) return []
    if (event === undefined) return fail(502)
    const { word, ability, input, ended, spent } = event
    if (typeof event.broken === 'string') return fail(500)
    if (typeof word === 'string') {
      const begun: Event[] =
        open === 'text'
          ? []
          : [...close(), { type: 'open', at: at(parts++), part: { kind: 'text' } }]
      open = 'text'
      return [...begun, { type: 'delta', at: at(parts - 1), text: word }]
    }
    if (typeof ability === 'string') {
      const closed = close()
      open = 'tool'
      const part = { kind: 'toolCall', id: String(event.id), name: ability } as const
      return [...closed, { type: 'open', at: at(parts++), part }]
    }
    if (typeof input === 'string' && open === 'tool') {
      return [{ type: 'delta', at: at(parts - 1), json: input }]
    }
    if (typeof ended !== 'string') return []
    over = true
    const { read, written } = (spent ?? {}) as { read?: number; written?: number }
    const usage = { input: read, output: written }
    return [
      ...close(),
      { type: 'stop', choice: 0, reason: stops[ended] ?? 'other', word: ended },
      { type: 'usage', usage, raw: { ...usage }, final: true },
      { type: 'end' },
    ]
  }

  return new StreamOrBody({
    frame: ({ data }) => take(parsedObject(data)),
    whole: () => fail(502),
    tooLarge: () => fail(502),
  })
}

const stops: Readonly<Record<string, Stop>> = { done: 'end', full: 'length', asks: 'tool' }

function recorded(...events: readonly object[]): Buffer {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}

export const exampleStreams: readonly {
  readonly name: string
  readonly operation: 'chat'
  readonly bytes: Buffer
  readonly expected: DecodedResponse
}[] = [
  {
    name: 'text',
    operation: 'chat',
    bytes: recorded(
      { word: 'Grüße ' },
      { word: 'aus Bern 🐻' },
      { ended: 'full', spent: { read: 12, written: 5 } },
    ),
    expected: { text: 'Grüße aus Bern 🐻', stop: 'length', usage: { input: 12, output: 5 } },
  },
  {
    name: 'tools',
    operation: 'chat',
    bytes: recorded(
      { word: 'I look.' },
      { ability: 'weather', id: 'w1' },
      { input: '{"city":' },
      { input: '"Bern"}' },
      { ended: 'asks', spent: { read: 20, written: 9 } },
    ),
    expected: {
      text: 'I look.',
      tools: [{ name: 'weather', input: '{"city":"Bern"}' }],
      stop: 'tool',
      usage: { input: 20, output: 9 },
    },
  },
  {
    name: 'broken',
    operation: 'chat',
    bytes: recorded({ word: 'Half' }, { broken: 'out of breath' }),
    expected: { failure: 'upstream' },
  },
]

export const exampleWrites: readonly WriteCase[] = [
  {
    name: 'a conversation',
    call: {
      model: 'acme-1',
      turns: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
      ],
      limit: { tokens: 50, field: 'max_tokens' },
      sampling: { temperature: 0 },
    },
    wire: {
      to: 'acme-1',
      talk: [
        { who: 'system', content: [{ text: 'Be brief.' }] },
        { who: 'user', content: [{ text: 'Hello' }] },
      ],
      longest: 50,
      warmth: 0,
    },
  },
]
