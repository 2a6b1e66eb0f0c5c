/** Channels over HTTP, as an admin's script writes them, and what their mapping does to a relayed error (CHAN, OPS-3). */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { admin, upstream, channelId } = gateway

const put = (fields: Readonly<Record<string, unknown>>) =>
  admin.call('PUT', '/api/channel/', { id: channelId, ...fields })
const saved = async (id = channelId) => admin.must('GET', `/api/channel/${id}`)
const settingsOf = async (id: number) => JSON.parse((await saved(id)).settings || '{}')

const fails = (status: number) => json(status, { error: { message: 'no', type: 'x' } })
const answers = json(200, chat.whole('Hi.', 10, 2))

t.beforeEach(() => {
  upstream.requests.length = 0
})

t.test(
  '[CHAN-1] a mapping is taken as object or text, reported as text, and refused by name',
  async (t) => {
    const good: readonly (readonly [unknown, string])[] = [
      [{ 404: 500 }, '{"404":500}'],
      ['{"100":"599"}', '{"100":599}'],
      ['', ''],
      ['{"404":500}', '{"404":500}'],
    ]
    for (const [status_code_mapping, text] of good) {
      const { body } = await put({ status_code_mapping })
      t.equal(body.data.status_code_mapping, text, JSON.stringify(status_code_mapping))
    }
    const bad: Readonly<Record<string, unknown>> = {
      null: null,
      'a list': [404, 500],
      'a zero-padded key': '{"0404":500}',
      'a zero-padded value': '{"404":"0500"}',
      'a key twice': '{"404":500,"404":501}',
      'a fraction': '{"404":500.0}',
      'below 100': '{"99":500}',
      'above 599': '{"404":600}',
    }
    for (const [name, status_code_mapping] of Object.entries(bad)) {
      const { status, body } = await put({ status_code_mapping })
      t.match(
        { status, ...body },
        { status: 400, success: false, field: 'status_code_mapping' },
        name,
      )
    }
    t.equal((await saved()).status_code_mapping, '{"404":500}', 'null and faults cleared nothing')
  },
)

t.test(
  '[CHAN-2] a mapped code is what the client sees, the original decides on a retry',
  async (t) => {
    await put({ priority: 10, status_code_mapping: { 503: 400, 400: 503 } })
    const second = await admin.channel({
      type: 1,
      name: 'second',
      key: 'second-key',
      base_url: upstream.url,
      models: model,
      group: 'default',
      status_code_mapping: { 503: 418 },
    })

    upstream.script(fails(503), answers)
    t.equal((await gateway.chat(ask())).status, 200, '503 is retried, though it is shown as 400')
    t.equal(upstream.requests.length, 2)

    upstream.requests.length = 0
    upstream.script(fails(400), answers)
    t.equal((await gateway.chat(ask())).status, 503, '400 is not, though it is shown as 503')
    t.equal(upstream.requests.length, 1)

    upstream.requests.length = 0
    upstream.script(fails(503))
    t.equal(
      (await gateway.chat(ask())).status,
      418,
      'the last channel states how its code is shown',
    )
    t.equal(upstream.requests.length, 2)

    await admin.must('DELETE', `/api/channel/${second}`)
    await put({ status_code_mapping: '' })
  },
)

t.test(
  '[CHAN-2] a target that cannot carry a body is saved, and passed over: the client reads the safe message under the unmapped status',
  async (t) => {
    const { key } = await admin.token()
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    }
    const messages = [{ role: 'user', content: 'hello' }]
    const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
    const formats: Readonly<Record<string, object>> = {
      '/v1/chat/completions': { model, messages },
      '/v1/messages': { model, messages, max_tokens: 9 },
      [`/v1beta/models/${model}:generateContent`]: { contents },
      '/v1/responses': { model, input: 'hello' },
    }
    for (const target of [100, 101, 103, 199, 204, 205, 304]) {
      const status_code_mapping = { 400: target, 503: target }
      const { body } = await put({ status_code_mapping })
      t.equal(body.data.status_code_mapping, JSON.stringify(status_code_mapping), 'it is saved')
      for (const [path, call] of Object.entries(formats)) {
        for (const [status, stream] of [
          [400, false],
          [503, true],
        ] as const) {
          upstream.script(fails(status))
          upstream.requests.length = 0
          const google = path.startsWith('/v1beta')
          const requested = google && stream ? path.replace(':gen', ':streamGen') : path
          const answer = await fetch(`${gateway.url}${requested}`, {
            method: 'POST',
            headers,
            body: JSON.stringify(google ? call : { ...call, stream }),
          })
          const title = `${status} → ${target}, ${requested}`
          t.equal(answer.status, status, title)
          t.equal(upstream.requests.length, 1, title)
          const { error } = (await answer.json()) as { error: { message: string } }
          t.match(error.message, /./, title)
        }
      }
    }
    for (const target of [200, 203, 206, 300, 303, 305, 599]) {
      await put({ status_code_mapping: { 400: target } })
      upstream.script(fails(400))
      const answer = await gateway.chat(ask())
      t.equal(answer.status, target)
      t.match(await answer.json(), { error: { message: /./ } }, `${target} can carry a body`)
    }
    await put({ status_code_mapping: '' })
  },
)

const video = { type: 54, name: 'video', key: 'k', models: 'seedance', group: 'video' }

t.test(
  '[CHAN-3] delta settlement is on unless a video channel of that kind states otherwise',
  async (t) => {
    const flag = 'disable_task_delta_settlement'
    const id = await admin.channel(video)
    const set = (settings: unknown, more = {}) => put({ id, settings, ...more })
    t.same(await settingsOf(id), {}, 'on by default')
    await set({ [flag]: true, other: 1 })
    t.same(await settingsOf(id), { [flag]: true, other: 1 }, 'off is stored as true')
    await put({ id, remark: 'unrelated' })
    t.same(await settingsOf(id), { [flag]: true, other: 1 })
    await set(`{"${flag}":false,"other":1}`)
    t.same(await settingsOf(id), { other: 1 }, 'on is not stored at all')

    for (const value of ['true', 1, null]) {
      const { status, body } = await set({ [flag]: value })
      t.match([status, body.field], [400, `settings.${flag}`], `${value} is no switch`)
    }
    const foreign = await put({ settings: { [flag]: true } })
    t.match([foreign.status, foreign.body.field], [400, `settings.${flag}`], 'no other type has it')
    await set({ [flag]: true })
    await put({ id, key: 'k', type: 1 })
    t.same(await settingsOf(id), {}, 'a channel that becomes another type does not keep it')
  },
)

t.test(
  '[CHAN-4] paths of the generic video protocol are checked, extensions survive a save',
  async (t) => {
    const vendor_extension = {
      a: [1, null, '', false, { b: 0.1 }],
      '': 'é',
      big: '9007199254740993',
    }
    const video_task = {
      created_at_path: 'data.created_at',
      updated_at_path: 'data.items.0.updated-at',
      vendor_extension,
      and: 'more',
    }
    const id = await admin.channel({ ...video, settings: { video_task, vendor_extension } })
    t.same(await settingsOf(id), { video_task, vendor_extension })
    const { settings } = await saved(id)
    await put({ id, settings })
    await put({ id, name: 'renamed' })
    t.equal((await saved(id)).settings, settings, 'text for text')

    const bad: Readonly<Record<string, unknown>> = {
      'no text': 5,
      'an empty step': 'a..b',
      'a dot at the end': 'a.',
      'a reserved step': 'a.__proto__.b',
      'another reserved step': 'constructor.name',
      'a wildcard': 'data.*.at',
      'too long': 'a'.repeat(257),
      'too deep': Array.from({ length: 17 }, () => 'a').join('.'),
    }
    for (const path of ['created_at_path', 'updated_at_path']) {
      for (const [name, value] of Object.entries(bad)) {
        const { status, body } = await put({ id, settings: { video_task: { [path]: value } } })
        t.match([status, body.field], [400, `settings.video_task.${path}`], `${path}: ${name}`)
      }
    }
    const digits = await put({ id, settings: '{"vendor_extension":9007199254740993}' })
    t.match([digits.status, digits.body.field], [400, 'settings'], 'what cannot be kept is refused')
    t.equal((await saved(id)).settings, settings, 'and nothing was saved')
  },
)

t.test(
  '[CHAN-5] a channel of several keys states how many, and which are off since when and why',
  async (t) => {
    const made = await admin.call('POST', '/api/channel/', {
      mode: 'multi_to_single',
      multi_key_mode: 'polling',
      channel: { ...video, type: 1, key: 'one\n two \none\nthree' },
    })
    const { id } = made.body.data
    t.match(made.body, { ids: [id] })
    const manage = (action: string, key_index?: number) =>
      admin.must('POST', '/api/channel/multi_key/manage', { channel_id: id, action, key_index })
    const info = async () => (await saved(id)).channel_info
    await manage('disable_key', 1)
    t.match(await info(), {
      is_multi_key: true,
      multi_key_mode: 'polling',
      multi_key_size: 3,
      multi_key_status_list: { 1: 2 },
      multi_key_disabled_reason: { 1: /root/ },
      multi_key_disabled_time: { 1: Number },
    })
    await manage('delete_key', 0)
    t.match(await info(), { multi_key_size: 2, multi_key_status_list: { 0: 2 } })
    await put({ id, key: 'four', key_mode: 'append' })
    t.match(await info(), { multi_key_size: 3, multi_key_status_list: { 0: 2 } })
    await put({ id, key: '' })
    t.match(await info(), { multi_key_size: 3 }, 'a blank key clears nothing')
    for (let left = 3; left > 0; left--) await manage('delete_key', 0)
    t.match(await info(), {
      is_multi_key: false,
      multi_key_size: 0,
      multi_key_status_list: {},
      multi_key_disabled_reason: {},
      multi_key_disabled_time: {},
      multi_key_mode: '',
    })
  },
)

t.test('[CHAN-6] [OPS-3] an update changes the fields it names and no others', async (t) => {
  await put({ tag: 'kept', weight: 4, remark: 'kept', model_mapping: { [model]: model } })
  const before = await saved()
  const changes: readonly [string, unknown][] = [
    ['name', 'other'],
    ['priority', -3],
    ['weight', 0],
    ['tag', ''],
    ['auto_ban', 0],
    ['group', 'default,vip'],
    ['model_mapping', ''],
    ['param_override', '{"temperature":0}'],
  ]
  let expected = before
  for (const [field, value] of changes) {
    expected = { ...expected, [field]: value }
    t.same((await put({ [field]: value })).body.data, expected, field)
  }
  t.same((await put({})).body.data, expected, 'nothing named, nothing changed')
  t.same((await put({ key: '' })).body.data, expected)
  for (const status of [0, 4, '9', 'enabled', null]) {
    const answer = await put({ status, name: 'not saved' })
    t.match([answer.status, answer.body.field], [400, 'status'], `status ${status}`)
  }
  t.same(await saved(), expected)

  upstream.script(answers)
  t.equal((await gateway.chat(ask())).status, 200)
  t.equal(upstream.requests[0]?.headers.authorization, 'Bearer upstream-key')
  t.match(upstream.requests[0]?.json, { temperature: 0 })
})

t.test('[CHAN-7] what a channel has gathered cannot be written', async (t) => {
  upstream.script(answers)
  await gateway.chat(ask())
  await gateway.gateway.idle()
  const before = await saved()
  t.ok(before.used_quota > 0, 'usage is counted')
  const { status, body } = await put({
    ...before,
    balance: 99,
    balance_updated_time: 99,
    used_quota: 0,
    test_time: 99,
    response_time: 99,
    created_time: 99,
    other_info: '{"status_reason":"forged"}',
    channel_info: { is_multi_key: true, multi_key_size: 5, multi_key_status_list: { 0: 3 } },
  })
  t.equal(status, 200)
  t.same(body.data, before)
  t.same(await saved(), before)
})

t.test('channels of an unknown type, and keys, never come out', async (t) => {
  const refused = await admin.call('POST', '/api/channel/', { ...video, type: 998 })
  t.match([refused.status, refused.body.field], [400, 'type'])
  const list = await admin.must('GET', '/api/channel/?page_size=100')
  t.notMatch(JSON.stringify(list), /upstream-key|sealed/)
  const path = `/api/channel/${channelId}/key`
  t.match((await admin.call('POST', path, {})).body, { code: 'verification_required' })
  const reveal = await admin.call('POST', path, {}, await admin.prove('channel_key'))
  t.match(reveal.body, { data: { key: 'upstream-key' } })
  t.equal(reveal.headers.get('cache-control'), 'no-store')
})
