/** Replicate through the whole gateway: a prediction is watched however long it takes, charged once, and sent nowhere else. */
import t, { type Test } from 'tap'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import { type PlatformGateway, platformGateway } from '../kit/tasks/platform-gateway.js'
import { jsonIn, replied, type StrictReply } from '../kit/tasks/upstream.js'
import { png } from '../plugins/operations/media/samples.js'

const painter = 'black-forest-labs/flux-schnell'
const editor = 'black-forest-labs/flux-kontext-pro'
const picture = 'https://replicate.delivery/xezq/a/out-0.webp'
const path = '/v1/images/generations'

/** Insists on what replicate.com/docs/reference/http and the pages of the two models state (read 2026-11-27). */
function strictReplicate(output: unknown = [picture]) {
  const predictions = new Map<string, JsonObject>()
  const last: { body: JsonObject } = { body: {} }
  return {
    last,
    /** How new predictions stand when they are answered. */
    begin: 'starting',
    output,
    end(id: string, fields: JsonObject) {
      predictions.set(id, {
        ...predictions.get(id),
        completed_at: '2026-12-01T00:00:09Z',
        ...fields,
      })
    },
    handle(
      method: string,
      url: string,
      headers: Readonly<Record<string, string>>,
      text: string,
    ): StrictReply {
      // The picture itself, which no key opens.
      if (url === '/out.png') return pictureFor(headers.authorization)
      if (headers.authorization !== 'Bearer key') return refused(401, 'You did not pass a token')
      const [, id = '', verb] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(url) ?? []
      if (method === 'GET' && predictions.has(id)) return replied(predictions.get(id))
      if (method === 'POST' && verb !== undefined) return replied(predictions.get(id))
      const [, model] = /^\/v1\/models\/([\w-]+\/[\w.-]+)\/predictions$/.exec(url) ?? []
      if (method !== 'POST' || model === undefined) return refused(404, 'Not found')
      last.body = jsonIn(text)
      const fault = faultOf(model, last.body, headers.prefer)
      if (fault !== undefined) return refused(422, fault)
      const made = { id: `pred${predictions.size + 1}`, model, status: this.begin, error: null }
      const done = this.begin === 'succeeded' ? this.output : null
      predictions.set(made.id, {
        ...made,
        output: done,
        created_at: '2026-12-01T00:00:00Z',
      } as never)
      return replied(predictions.get(made.id), 201)
    },
  }
}

function pictureFor(key: string | undefined): StrictReply {
  if (key !== undefined) return refused(400, 'a key was sent')
  return { status: 200, headers: { 'content-type': 'image/png' }, body: png(2, 3) }
}

function refused(status: number, detail: string): StrictReply {
  return replied({ detail, status, title: 'x' }, status)
}

const known: Readonly<Record<string, readonly string[]>> = {
  [painter]: ['prompt', 'aspect_ratio', 'num_outputs', 'seed', 'output_format', 'go_fast'],
  [editor]: ['prompt', 'input_image', 'aspect_ratio', 'seed', 'output_format'],
}

function faultOf(model: string, { input, ...rest }: JsonObject, prefer = ''): string | undefined {
  const [, seconds] = /^wait=(\d+)$/.exec(prefer) ?? []
  if (!(Number(seconds) >= 1 && Number(seconds) <= 60)) return 'Prefer'
  if (Object.keys(rest).length > 0 || !isObject(input)) return 'only an input is taken'
  const strange = Object.keys(input).find((name) => !known[model]?.includes(name))
  if (strange !== undefined) return `input.${strange} is not known`
  const { output_format: format = 'webp', input_image: image, num_outputs: count = 1 } = input
  if (!['webp', 'jpg', 'png'].includes(String(format))) return 'input.output_format'
  if (typeof count !== 'number' || count < 1 || count > 4) return 'input.num_outputs'
  if (model === editor && !/^(https:|data:image\/\w+;base64,.)/.test(String(image))) {
    return 'input.input_image'
  }
  return typeof input.prompt === 'string' ? undefined : 'input.prompt'
}

async function started(t: Test, output?: unknown, relayTimeoutMs = 0) {
  const upstream = strictReplicate(output)
  const gateway = await platformGateway(t, {
    ...{ upstream, cards: {}, environment: { relayTimeoutMs } },
    channel: { type: 56, key: 'key', models: `${painter},${editor}` },
  })
  await gateway.admin.option('ModelPrice', { [painter]: 0.01, [editor]: 0.04 })
  return { upstream, gateway }
}

async function accepted({ knex }: PlatformGateway): Promise<void> {
  for (;;) {
    const tasks = await knex('tasks').where({ billing: 'charged' })
    const charged = await knex('billing_requests').where({ state: 'settled', kind: 'task' })
    if (tasks.length > 0 && charged.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const submissions = ({ calls }: PlatformGateway) =>
  calls.filter((call) => call.startsWith('POST')).length

t.test(
  '[BILL-4] what is done at once is answered at once, and charged by what was made',
  async (t) => {
    const { upstream, gateway } = await started(t)
    upstream.begin = 'succeeded'
    const before = await gateway.balance()
    const { status, body, headers } = await gateway.call('POST', path, {
      ...{ model: painter, prompt: 'A cat', n: 2, quality: 'hd', output_format: 'jpeg' },
    })
    t.equal(status, 200)
    t.equal(headers.get('x-waybill-lost'), 'quality')
    t.match(body, { data: [{ url: picture }] })
    t.match(upstream.last.body, { input: { num_outputs: 2, output_format: 'jpg' } })
    t.equal(before - (await gateway.balance()), 5_000n, 'one picture of two')
    const { accepted_at: accepted, finished_at: finished } = await gateway.row()
    t.ok(finished - accepted < 3_000, 'it is not left lying until the first poll of a task')
  },
)

t.test('[BILL-4] what takes longer is watched, and a failure is paid back', async (t) => {
  const { upstream, gateway } = await started(t, undefined)
  const before = await gateway.balance()
  const waiting = gateway.call('POST', path, { model: painter, prompt: 'A cat' })
  await accepted(gateway)
  t.equal(before - (await gateway.admin.balance()), 5_000n, 'charged as it is accepted')
  upstream.end('pred1', { status: 'failed', error: 'CUDA out of memory on 10.0.0.7' })
  await gateway.watch()
  const { status, body } = await waiting
  t.equal(status, 502)
  t.notMatch(JSON.stringify(body), /CUDA|10\.0/)
  t.equal(await gateway.balance(), before)
  t.equal(submissions(gateway), 1, 'sent nowhere else')
})

t.test('[FMT-11] an edit can be read later by the id of its task', async (t) => {
  const { upstream, gateway } = await started(t, undefined, 3_000)
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: editor, prompt: 'Red' }))
    form.set(name, value)
  form.set('image', new Blob([new Uint8Array(png(2, 3))], { type: 'image/png' }), 'one.png')
  const answer = await fetch(`${gateway.url}/v1/images/edits`, {
    ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${gateway.key}` } },
  })
  t.equal(answer.status, 504)
  const [task] = /task_[0-9A-Z]{26}/.exec(await answer.text()) ?? []
  t.strictSame(upstream.last.body, {
    input: {
      prompt: 'Red',
      input_image: `data:image/png;base64,${png(2, 3).toString('base64')}`,
    },
  })
  upstream.end('pred1', { status: 'succeeded', output: picture })
  await gateway.round()
  t.match((await gateway.call('GET', `${path}/${task}`)).body, {
    ...{ status: 'completed', data: [{ url: picture }] },
  })
  t.match(await gateway.row(), { operation: 'edits', charged: 20_000n, cost: 20_000n })
})

t.test('[SVC-3] who wants the bytes gets them', async (t) => {
  const { upstream, gateway } = await started(t, ['data:image/png;base64,AAAA'])
  upstream.begin = 'succeeded'
  const { body } = await gateway.call('POST', path, {
    ...{ model: painter, prompt: 'A cat', response_format: 'b64_json' },
  })
  t.match(body, { data: [{ b64_json: 'AAAA' }] })

  upstream.output = [`${gateway.upstreamUrl}/out.png`]
  const fetched = await gateway.call('POST', path, {
    ...{ model: painter, prompt: 'A cat', response_format: 'b64_json' },
  })
  t.match(fetched.body, { data: [{ b64_json: png(2, 3).toString('base64') }] })
})
