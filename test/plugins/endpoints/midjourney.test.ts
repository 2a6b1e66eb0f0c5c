/** `/mj/…`: what becomes of a submission, how tasks and pictures are shown, and what the options allow. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import create from '../../../plugins/endpoints/midjourney/index.js'
import { openPicture } from '../../../plugins/endpoints/midjourney/picture.js'
import words from '../../../plugins/formats/midjourney/index.js'
import { answered, bodyOf, inboundOf, kitOf, received, record } from './task-fakes.js'

function submitted(
  action: string,
  body: JsonObject,
  options: Readonly<Record<string, boolean>> = {},
  route = 'submit',
) {
  return received(create(kitOf([], options)), route, inboundOf({ params: { action }, body }))
}

t.test('[BILL-6] a submission is priced by what is done, whatever the client names', async (t) => {
  const taskId = 'task_1'
  const models: readonly [action: string, body: JsonObject, model: string][] = [
    ['imagine', { prompt: 'a cat', model: 'mine', speed: 'turbo', verb: 'x' }, 'mj_imagine'],
    ['change', { taskId, action: 'UPSCALE', index: 1 }, 'mj_upscale'],
    ['change', { taskId, action: 'REROLL' }, 'mj_reroll'],
    ['simple-change', { content: 'task_1 U2' }, 'mj_upscale'],
    ['simple-change', { content: ' task_1  v4' }, 'mj_variation'],
    ['simple-change', { content: 'task_1 R' }, 'mj_reroll'],
    ['action', { taskId, customId: 'MJ::JOB::upsample::1::x' }, 'mj_upscale'],
    ['action', { taskId, customId: 'MJ::JOB::upsample_v6_2x_subtle::1::x::SOLO' }, 'mj_upscale'],
    ['action', { taskId, customId: 'MJ::JOB::low_variation::1::x::SOLO' }, 'mj_low_variation'],
    ['action', { taskId, customId: 'MJ::JOB::high_variation::1::x::SOLO' }, 'mj_high_variation'],
    ['action', { taskId, customId: 'MJ::JOB::variation::1::x' }, 'mj_variation'],
    ['action', { taskId, customId: 'MJ::JOB::pan_left::1::x::SOLO' }, 'mj_pan'],
    ['action', { taskId, customId: 'MJ::Outpaint::50::1::x::SOLO' }, 'mj_zoom'],
    ['action', { taskId, customId: 'MJ::CustomZoom::x' }, 'mj_custom_zoom'],
    ['action', { taskId, customId: 'MJ::Inpaint::1::x::SOLO' }, 'mj_inpaint'],
    ['action', { taskId, customId: 'MJ::Something::new' }, 'mj_action'],
    ['modal', { taskId, prompt: 'a hat' }, 'mj_modal'],
    ['describe', { base64: 'data:,' }, 'mj_describe'],
    ['blend', { base64Array: ['a', 'b'] }, 'mj_blend'],
    ['shorten', { prompt: 'x' }, 'mj_shorten'],
    ['edits', { prompt: 'x' }, 'mj_edits'],
    ['video', { prompt: 'x', motion: 'low' }, 'mj_video'],
    ['upload-discord-images', { base64Array: ['a'] }, 'mj_upload'],
  ]
  for (const [action, body, model] of models) {
    const request = await submitted(action, body)
    t.match(request, { operation: 'midjourney', format: 'midjourney' })
    t.match(bodyOf(request), { model, action }, JSON.stringify(body))
    t.notOk('speed' in bodyOf(request))
  }
  const swap = await submitted('', { sourceBase64: 'a', targetBase64: 'b' }, {}, 'swap-relax')
  t.match(bodyOf(swap), { model: 'swap_face', action: 'swap', speed: 'relax' })
  t.match(bodyOf(await submitted('imagine', { prompt: 'x' }, {}, 'submit-turbo')), {
    speed: 'turbo',
  })
})

t.test('what goes on from a task names it beside the body', async (t) => {
  const taskId = 'task_1'
  const named = async (action: string, body: JsonObject, options = {}) =>
    (await submitted(action, body, options)).task
  t.strictSame(await named('imagine', { prompt: 'x' }), {})
  t.strictSame(await named('change', { taskId, action: 'REROLL' }), { originId: taskId })
  t.strictSame(await named('simple-change', { content: 'task_1 U1' }), { originId: taskId })
  t.strictSame(await named('video', { taskId, prompt: 'x', action: 'extend' }), {
    originId: taskId,
  })
  t.strictSame(await named('modal', { taskId }), { originId: taskId, originUnfinished: true })
  t.strictSame(await named('action', { taskId, customId: 'x' }, { actionCheckSuccess: false }), {
    originId: taskId,
    originUnfinished: true,
  })
  const { verb } = bodyOf(await submitted('change', { taskId, action: 'REROLL' }))
  t.equal(verb, 'REROLL')
})

t.test('options decide what of a submission goes on', async (t) => {
  const body = {
    prompt: 'a cat --fast --ar 1:1 --relax',
    notifyHook: 'https://client.example/hook',
    accountFilter: { modes: ['FAST'] },
  }
  const plain = await submitted('imagine', body)
  t.strictSame(plain.task, {})
  t.notOk('accountFilter' in bodyOf(plain))
  t.equal(bodyOf(plain).prompt, body.prompt)
  const open = await submitted('imagine', body, {
    notify: true,
    accountFilter: true,
    modeClear: true,
  })
  t.strictSame(open.task, { callbackUrl: body.notifyHook, callbackField: 'notifyHook' })
  t.match(bodyOf(open), { accountFilter: body.accountFilter })
  t.match(String(bodyOf(open).prompt), /^a cat\s+--ar 1:1$/)
  for (const request of [plain, open]) t.notOk('notifyHook' in bodyOf(request))
})

t.test('fields at fault are named', async (t) => {
  const faults: readonly [string, JsonObject, string][] = [
    ['imagine', {}, 'prompt'],
    ['imagine', { prompt: 4 }, 'prompt'],
    ['imagine', { prompt: 'x', base64Array: 'x' }, 'base64Array'],
    ['change', { action: 'UPSCALE' }, 'taskId'],
    ['change', { taskId: 'x', action: 'ERASE' }, 'action'],
    ['simple-change', { content: 'task_1 U9' }, 'content'],
    ['simple-change', { content: 'task_1' }, 'content'],
    ['action', { taskId: 'x' }, 'customId'],
    ['modal', {}, 'taskId'],
    ['blend', {}, 'base64Array'],
  ]
  for (const [action, body, param] of faults) {
    await t.rejects(submitted(action, body), { code: 'invalid_request', param })
  }
  for (const action of ['nothing', 'constructor', 'swap2', '']) {
    await t.rejects(submitted(action, {}), { code: 'not_found' })
  }
})

t.test('a key stands where clients of the protocol put it', async (t) => {
  const route = create(kitOf([])).routes.submit
  const keyOf = (headers: Record<string, string>) =>
    route?.kind === 'relay' ? route.caller?.(inboundOf({ headers })) : undefined
  t.match(keyOf({}), { key: 'sk-7' })
  t.match(keyOf({ authorization: '', 'mj-api-secret': 'sk-8' }), { key: 'sk-8' })
  t.match(keyOf({ authorization: 'midjourney-proxy', 'mj-api-secret': 'Bearer sk-8' }), {
    key: 'sk-8',
  })
  t.match(keyOf({ authorization: '' }), { kind: 'none' })
})

t.test(
  'a submission is answered in the words of the upstream, under the id of the gateway',
  async (t) => {
    const { dialect } = await submitted('imagine', { prompt: 'x' })
    const of = (raw: JsonObject) => dialect?.answer(record({ raw }) as unknown as JsonObject)
    t.strictSame(
      of({
        code: 22,
        description: 'queued as 17158, 3 before it',
        result: '17158',
        properties: { numberOfQueues: 3, discordInstanceId: 'secret', promptEn: 'x' },
      }),
      {
        code: 22,
        description: 'queued as task_1, 3 before it',
        properties: { promptEn: 'x' },
        result: 'task_1',
      },
    )
    t.match(of({ code: 21, description: 'waiting', result: '17158' }), {
      code: 21,
      result: 'task_1',
    })
    t.match(of({}), { code: 1, result: 'task_1' })
    t.strictSame(of({ code: 1, result: ['https://cdn.example/1.png', 4] })?.result, [
      'https://cdn.example/1.png',
    ])
  },
)

const picture = {
  type: 'image',
  url: 'https://upstream.example/cat.png',
  index: 0,
} as const
const done = record({
  state: 'succeeded',
  word: 'SUCCESS',
  results: [picture, { type: 'file', keyed: true, index: 1, meta: { name: 'seed' } }],
  request: { prompt: 'a cat', state: 'order-7' },
  raw: {
    id: '17158',
    action: 'IMAGINE',
    promptEn: 'a cat',
    description: '/imagine a cat',
    buttons: [{ customId: 'MJ::JOB::upsample::1::x', label: 'U1' }],
    properties: { finalPrompt: 'a cat --v 6', discordInstanceId: 'secret' },
  },
})

t.test(
  '[API-6] a picture has a signed address of the gateway, or the upstream’s own',
  async (t) => {
    const fetch = inboundOf({ params: { id: 'task_1' } })
    const { imageUrl } = await answered(create(kitOf([done])), 'fetch', fetch)
    t.equal(imageUrl, 'https://gateway.example/mj/image/task_1?uid=7&expires=9&signature=task_1-0')
    const direct = await answered(create(kitOf([done], { forwardUrl: false })), 'fetch-fast', fetch)
    t.equal(direct.imageUrl, picture.url)

    const { tasks } = kitOf([done], {}, { text: 'PNG' }).services
    const query = Object.fromEntries(new URL(imageUrl).searchParams)
    const open = (id: string, query: Record<string, string>) =>
      openPicture(inboundOf({ params: { id }, query, headers: { range: 'bytes=0-1' } }), tasks)
    const { headers, body } = await open('task_1', query)
    t.equal(headers['x-read'], '0 bytes=0-1')
    t.equal(String(await readAll(body, 100)), 'PNG')
    await t.rejects(open('task_2', query), { code: 'signature_invalid' })
    await t.rejects(open('task_1', {}), { code: 'signature_invalid' })
  },
)

t.test(
  'a task is shown in the words of the protocol, without what is the operator’s',
  async (t) => {
    const shown = await answered(
      create(kitOf([done], { forwardUrl: false })),
      'fetch',
      inboundOf({ params: { id: 'task_1' } }),
    )
    t.strictSame(shown, {
      id: 'task_1',
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'a cat',
      promptEn: 'a cat',
      description: '/imagine a cat',
      state: 'order-7',
      submitTime: 1_712_158_011_464,
      startTime: 0,
      finishTime: 0,
      imageUrl: picture.url,
      videoUrl: '',
      videoUrls: [],
      status: 'SUCCESS',
      progress: '100%',
      failReason: '',
      buttons: [{ customId: 'MJ::JOB::upsample::1::x', label: 'U1' }],
      maskBase64: '',
      properties: { finalPrompt: 'a cat --v 6', finalZhPrompt: '' },
    })
  },
)

t.test(
  'the state of the gateway decides how a task ended, the word of the upstream how it goes',
  async (t) => {
    const statusOf = async (fields: Parameters<typeof record>[0]) => {
      const endpoint = create(kitOf([record(fields)]))
      const { status } = await answered(endpoint, 'fetch', inboundOf({ params: { id: 'task_1' } }))
      return status
    }
    t.equal(await statusOf({ state: 'submitting' }), 'NOT_START')
    t.equal(await statusOf({ state: 'queued' }), 'SUBMITTED')
    t.equal(await statusOf({ state: 'queued', word: 'MODAL' }), 'MODAL')
    t.equal(await statusOf({ state: 'unknown', word: 'PAUSED' }), 'IN_PROGRESS')
    t.equal(await statusOf({ state: 'failed', word: 'IN_PROGRESS' }), 'FAILURE')
    t.equal(await statusOf({ state: 'failed', word: 'CANCEL' }), 'CANCEL')
    t.equal(await statusOf({ state: 'succeeded', word: 'IN_PROGRESS' }), 'SUCCESS')
  },
)

t.test(
  'before its first report a task shows nothing of the answer to its submission',
  async (t) => {
    const fresh = record({
      model: 'mj_low_variation',
      raw: { code: 1, description: 'Submit success', result: '17158' },
    })
    const shown = await answered(
      create(kitOf([fresh])),
      'fetch',
      inboundOf({ params: { id: 'task_1' } }),
    )
    t.match(shown, { action: 'LOW_VARIATION', description: '', imageUrl: '' })
    t.notMatch(JSON.stringify(shown), /17158/)
  },
)

t.test('several tasks are a bare list of those that are the caller’s', async (t) => {
  const kit = kitOf([
    done,
    record({ taskId: 'task_2', userId: 8 }),
    record({ taskId: 'task_3', operation: 'video' }),
  ])
  const of = (ids: unknown) => answered(create(kit), 'list-relax', inboundOf({ body: { ids } }))
  const shown = await of(['task_1', 'task_2', 'task_3', 'task_4'])
  t.strictSame(
    shown.map(({ id }: JsonObject) => id),
    ['task_1'],
  )
  await t.rejects(of('task_1'), { code: 'invalid_request', param: 'ids' })
  await t.rejects(of(new Array(101).fill('x')), { param: 'ids', code: 'invalid_request' })
  const stranger = inboundOf({
    headers: { authorization: 'Bearer sk-8' },
    params: { id: 'task_1' },
  })
  await t.rejects(answered(create(kit), 'fetch', stranger), { code: 'invalid_api_key' })
})

t.test('the seed of a picture is what the upstream answers', async (t) => {
  const of = (text: string, of = done) =>
    answered(create(kitOf([of], {}, { text })), 'seed', inboundOf({ params: { id: 'task_1' } }))
  t.match(await of('{"code":1,"description":"ok","result":"4217"}'), { code: 1, result: '4217' })
  for (const text of ['{"code":3,"result":"x"}', '<html>', '{"code":1}']) {
    await t.rejects(of(text), { code: 'task_result_missing' })
  }
  await t.rejects(of('{"code":1,"result":"1"}', record()), { code: 'task_result_missing' })
})

t.test('[ERR-1] refusals have the numbers of the protocol', async (t) => {
  const of = (error: Refusal, type?: string) =>
    words().encodeError({ ...clientError(error), ...(type !== undefined && { type }) })
  t.match(of(new Refusal('task_not_found', { task: 'x' })), { status: 404, body: { code: 4 } })
  t.match(of(new Refusal('invalid_request', { reason: 'no.', param: 'prompt' })), {
    status: 400,
    body: { code: 4, description: 'no.', error: { param: 'prompt', code: 'invalid_request' } },
  })
  t.match(of(new Refusal('too_many_tasks', { whose: 'user', limit: 1 })), {
    status: 429,
    body: { code: 30 },
  })
  t.match(of(new Refusal('upstream_error', { reason: 'x' })), { status: 502, body: { code: 5 } })
  t.match(of(new Refusal('upstream_error', { reason: 'x' }), 'queue_full'), { body: { code: 23 } })
  t.match(of(new Refusal('upstream_rejected', { reason: 'x' }), 'banned_prompt'), {
    body: { code: 24 },
  })
})

t.test('only pictures of the caller are read', async (t) => {
  const kit = kitOf([record({ operation: 'video' }), record({ taskId: 'task_2', userId: 8 })])
  for (const route of ['fetch', 'seed-fast']) {
    const read = (id: string) => answered(create(kit), route, inboundOf({ params: { id } }))
    await t.rejects(read('task_1'), { code: 'task_not_found' })
    await t.rejects(read('task_2'), { code: 'task_not_found' })
  }
})
