/** The mapping stage where a channel passes bodies through as they came. */
import t from 'tap'
import type { Body } from '../../../../kernel/contract/body.js'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { Picked } from '../../../../kernel/contract/line/record.js'
import type { Operation } from '../../../../kernel/contract/operation.js'
import type { Adapter } from '../../../../kernel/contract/provider.js'
import { modelNamed } from '../../../../kernel/toolkit/operation/operation-body.js'
import create from '../../../../plugins/stages/mapping/index.js'
import { channel, opened } from '../../../kit/line-fakes.js'
import { formats } from '../override/stage-kit.js'

const stage = create({ services: { formats: { get: (name: string) => formats[name]! } } } as never)
const mapping: Partial<Channel> = { modelMapping: { 'test-model': 'other' }, passThroughBody: true }
const body: Body = {
  kind: 'json',
  value: { model: 'test-model' },
  bytes: Buffer.from('{"model" :"test-model"}'),
}

function mapped(over: Partial<Picked>, adapter: Partial<Adapter> = {}, given = mapping) {
  const state = opened()
  return stage.run({
    ...state,
    body,
    model: 'test-model',
    format: formats.chat!,
    adapter: { ...state.adapter, ...adapter },
    channel: channel(1, given),
    ...over,
  } as Picked)
}

t.test('the very body goes on, and the model the client named', async (t) => {
  const result = mapped({})
  t.match(result, { upstreamModel: 'test-model', verbatim: true, upstreamFormat: { name: 'chat' } })
  t.equal('wire' in result && result.wire, body)
  t.match(mapped({}, {}, { ...mapping, passThroughBody: false }), {
    upstreamModel: 'other',
    wire: { value: { model: 'other' } },
  })
})

t.test('operations too, unless their upstream speaks a form of its own', async (t) => {
  const work = { named: modelNamed } as Operation
  t.match(mapped({ work }, { format: 'same' }), { upstreamModel: 'test-model', wire: body })
  const shape: Adapter['shape'] = (given) => given
  t.match(mapped({ work }, { format: 'own', shape }), {
    upstreamModel: 'other',
    wire: { value: { model: 'other' } },
  })
})

t.test('a socket has no body to pass: its model is mapped', async (t) => {
  const none: Body = { kind: 'none' }
  const work = { named: (given: Body) => given } as unknown as Operation
  t.match(mapped({ work, body: none }, { format: 'same' }), { upstreamModel: 'other' })
})

t.test('a body in another format is converted as ever', async (t) => {
  const call = () => ({
    model: '',
    turns: [],
    tools: [],
    stream: false,
    wantsUsage: false,
    sampling: {},
  })
  t.match(mapped({ call }, { format: 'messages' }), { upstreamModel: 'other', verbatim: false })
})
