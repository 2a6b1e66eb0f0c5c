/** Pictures of DashScope's asynchronous interface: what is sent, what is counted, and what becomes of the answers. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/wan/index.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'
import { strictWan } from '../../kit/tasks/wan.js'

const adapter = create().operations.images as TaskAdapter
const channel = { id: 1, type: 17, baseUrl: 'https://dashscope.aliyuncs.com', settings: {} }
const key = { key: 'key' }
const usual = 'wan2.2-t2i-flash'
const requested = { kind: 'none' } as const

function shaped(value: JsonObject, model = usual) {
  const body = { kind: 'json', value: { model, prompt: 'A cat', ...value } } as const
  return adapter.shape(body, channel, model)
}

const counted = (value: JsonObject, model = usual) =>
  adapter.quantities(shaped(value, model), model, requested)

t.test('a request is submitted, watched and answered in the form of images', async (t) => {
  const upstream = strictWan()
  const wire = shaped({ n: 2, size: '768x1024', negative_prompt: 'dogs', seed: 5 })
  const context = { now: 0, forwarded: { headers: {} }, model: usual, stream: false }
  const request = adapter.address(wire, channel, key, context)
  const reply = sentTo(upstream, { ...request, body: JSON.stringify(jsonOf(wire)) })
  t.match(upstream.last, {
    path: '/api/v1/services/aigc/text2image/image-synthesis',
    body: jsonOf(wire),
  })
  const submission = adapter.submitted(reply, wire, usual)
  t.same(submission, { ref: '0385dc79-1' })
  const task = { ref: '0385dc79-1', action: 'generate', model: usual, keep: {} }
  const polled = () =>
    adapter.poll.read(
      sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 })),
      [task],
      channel,
    ) as readonly Progress[]
  t.match(polled(), [{ state: 'queued', word: 'PENDING' }])
  upstream.paint(task.ref, ['https://cdn.example/a.png'])
  const [done] = polled()
  t.match(done, { state: 'succeeded', made: { counts: { piece: 1 } } })
  t.same(adapter.folded!({ ...done!, updatedAt: 1_764_064_000_500 }, requested), {
    json: {
      created: 1_764_064_000,
      data: [{ url: 'https://cdn.example/a.png', revised_prompt: 'p, in oil' }],
    },
  })
})

t.test('number and size are always sent, so that what is made is what is counted', async (t) => {
  t.same(counted({}), { counts: { piece: 1 }, dimensions: { size: '1024*1024' } })
  t.same(counted({ size: 'auto' }, 'wan2.5-t2i-preview').dimensions, { size: '1280*1280' })
  t.same(counted({ n: 1 }, 'qwen-image').dimensions, { size: '1328*1328' })
  t.same(counted({ n: 4, size: '1280x720' }), {
    counts: { piece: 4 },
    dimensions: { size: '1280*720' },
  })
})

t.test('the gateway fetches pictures for who wants their bytes', async (t) => {
  t.same(shaped({ response_format: 'b64_json' }), shaped({}))
})

t.test('what cannot be expressed is refused by name', async (t) => {
  for (const [param, value] of [
    ['stream', true],
    ['n', 0],
    ['n', 5],
    ['n', 1.5],
    ['n', '2'],
    ['size', '1024'],
  ] as const) {
    t.throws(() => shaped({ [param]: value }), { code: 'invalid_request', param }, `${value}`)
  }
})

t.test('only models of this interface are served', async (t) => {
  const served = (model: string) => adapter.serves!(channel, model, 'chat')
  for (const model of [usual, 'wanx2.1-t2i-turbo', 'wan2.5-t2i-preview', 'wanx-v1', 'qwen-image']) {
    t.ok(served(model), model)
  }
  for (const model of ['wan2.6-t2i', 'wan2.2-t2v-plus', 'qwen-image-edit', 'qwen-max']) {
    t.notOk(served(model), model)
  }
})

t.test('answers that make no sense are no pictures', async (t) => {
  const task = { ref: 'a', action: 'generate', model: usual, keep: {} }
  const read = (output: JsonObject, usage: JsonObject = {}) =>
    (
      adapter.poll.read(
        replied({ output: { task_id: 'a', task_status: 'SUCCEEDED', ...output }, usage }),
        [task],
        channel,
      ) as readonly Progress[]
    )[0]
  const odd = [{ url: 'file:///x' }, { code: 'DataInspectionFailed' }, 5, null, { url: 7 }]
  t.notOk(read({ results: odd })!.results)
  t.notOk(read({ results: 'none' }, { image_count: -3 })!.results)
  t.match(adapter.folded!({ ...read({})!, results: [] }, requested), { failure: { status: 200 } })
  t.match(read({ results: [], task_metrics: { SUCCEEDED: 2 } })!.made, { counts: { piece: 2 } })
})
