/** Clips of Veo on channels of Gemini and of Vertex AI through a whole gateway: files behind the key, and bytes in the answer. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { leadToTest, serviceAccount, strictGoogle } from '../../../kit/tasks/google-cloud.js'
import { type Platform, platformGateway } from '../../../kit/tasks/platform-gateway.js'
import { jsonIn, replied } from '../../../kit/tasks/upstream.js'
import { strictVeo } from '../../../kit/tasks/veo.js'

const model = 'veo-3.0-generate-001'
const operations = `models/${model}/operations/`
/** 1,000 quota a second. */
const cards = {
  [model]: {
    unit: 'second',
    rates: [{ when: { resolution: '720p', audio: '*' }, price: '0.002' }],
  },
}
const clip = { model, prompt: 'a cat', seconds: 8, resolution: '720p' } as const
const path = '/v1/video/generations'

t.test(
  '[BILL-4] a clip on a channel of Gemini is charged once, and fetched with the key of the channel',
  async (t) => {
    const upstream = strictVeo('gemini')
    const gateway = await platformGateway(t, { upstream, cards, channel: { type: 24, key: 'key' } })
    const before = await gateway.balance()
    const { body } = await gateway.call('POST', path, clip)
    t.equal(before - (await gateway.balance()), 8_000n)
    upstream.finish(`${operations}op1`)
    await Promise.all([gateway.round(), gateway.round()])
    const { data } = (await gateway.call('GET', `${path}/${body.task_id}`)).body
    t.match(data, { status: 'SUCCESS', data: { name: body.task_id } })
    t.match(data.result_url, /^\/v1\/tasks\//)
    const signed = await gateway.call('GET', data.result_url, undefined, { authorization: '' })
    t.match(signed, { status: 200, bytes: Buffer.from('mp4') })
    const byKey = await gateway.call('GET', `/v1/videos/${body.task_id}/content`)
    t.match(byKey, { status: 200, bytes: Buffer.from('mp4') })
    t.equal(before - (await gateway.balance()), 8_000n)
    const { body: second } = await gateway.call('POST', path, clip)
    upstream.fail(`${operations}op2`, `${operations}op2 was refused.`)
    await Promise.all([gateway.round(), gateway.round()])
    t.equal(before - (await gateway.balance()), 8_000n, 'paid back whole')
    t.match((await gateway.call('GET', `${path}/${second.task_id}`)).body.data, {
      status: 'FAILURE',
    })
    t.notMatch(gateway.replies.join('\n'), /operations\/op|googleapis/)
  },
)

t.test('clips that come as bytes are kept apart from their tasks, however large', async (t) => {
  const bytes = Buffer.alloc(9 * 1024 * 1024, 'clip')
  const upstream = vertex(bytes)
  const gateway = await platformGateway(t, {
    ...{ upstream, cards },
    channel: { type: 41, key: 'key', settings: { key_kind: 'api_key' } },
  })
  const { status, body } = await gateway.call('POST', path, clip)
  t.equal(status, 200, JSON.stringify(body))
  await gateway.round()
  const row = await gateway.row()
  t.match(row, { state: 'succeeded', results: [{ type: 'video', inline: true }] })
  t.ok(JSON.stringify({ ...row, id: 0, charged: 0, cost: 0, origin_id: 0 }).length < 10_000)
  const { data } = (await gateway.call('GET', `${path}/${body.task_id}`)).body
  const signed = await gateway.call('GET', data.result_url, undefined, { authorization: '' })
  t.equal(signed.status, 200)
  t.ok(signed.bytes.equals(bytes))
  const range = { range: 'bytes=4-7' }
  const part = await gateway.call('GET', data.result_url, undefined, range)
  t.match(part, { status: 206, bytes: Buffer.from('clip') })
  await gateway.call('DELETE', `/v1/videos/${body.task_id}`)
  t.same(await gateway.knex('task_bytes'), [], 'they go with the clip')
})

t.test(
  '[API-6] clips in a bucket of the operator are read with the token of the channel, by the client alone',
  async (t) => {
    const veo = strictVeo('vertex')
    const upstream = strictGoogle(veo)
    const folder = 'gs://clips-of-acme/made here/'
    const gateway = await platformGateway(t, {
      ...{ upstream, cards },
      channel: {
        ...{ type: 41, key: serviceAccount, base_url: 'https://aiplatform.googleapis.com' },
        settings: { region: 'us-central1' },
        param_override: {
          operations: [{ mode: 'set', path: 'parameters.storageUri', value: folder }],
        },
      },
    })
    leadToTest(gateway, gateway.upstreamUrl)
    const elsewhere = { storageUri: 'gs://of-the-client/' }
    const submitted = await gateway.call('POST', path, { ...clip, n: 2, metadata: elsewhere })
    t.equal(submitted.status, 200, JSON.stringify(submitted.body))
    t.match(veo.last, { parameters: { storageUri: folder } }, 'the operator says where they go')
    const row = await gateway.row()
    veo.finish(row.upstream_ref, 2)
    await gateway.round()
    for (const at of [0, 1]) {
      const object = `clips-of-acme/made here/1732536000/sample_${at}.mp4`
      upstream.objects.set(object, Buffer.from(`mp4 of clip ${at}`))
    }
    const { task_id: task } = submitted.body
    const { data } = (await gateway.call('GET', `${path}/${task}`)).body
    t.match(data, { status: 'SUCCESS', results: [{ type: 'video' }, { type: 'video' }] })
    for (const [at, { url }] of data.results.entries()) {
      t.match(url, new RegExp(`^/v1/tasks/${task}/results/${at}\\?uid=`))
      const nobody = { authorization: '' }
      const whole = await gateway.call('GET', url, undefined, nobody)
      t.match(whole, { status: 200, bytes: Buffer.from(`mp4 of clip ${at}`) })
      t.equal(whole.headers.get('content-type'), 'video/mp4')
      const part = await gateway.call('GET', url, undefined, { ...nobody, range: 'bytes=4-5' })
      t.match(part, { status: 206, bytes: Buffer.from('of') })
    }
    const content = `/v1/videos/${task}/content`
    t.match(await gateway.call('GET', content), {
      status: 200,
      bytes: Buffer.from('mp4 of clip 0'),
    })
    upstream.forbid()
    t.match(await gateway.call('GET', content), {
      status: 502,
      body: { error: { message: /does not take the credentials of this channel/ } },
    })
    t.notMatch(gateway.replies.join('\n'), /clips-of-acme|googleapis|gserviceaccount|acme-1|Bearer/)
  },
)

/** Vertex AI as it is called with an API key: the clip is in the answer. */
function vertex(bytes: Buffer): Platform {
  const name = `projects/p/locations/global/publishers/google/models/${model}/operations/op1`
  return {
    handle(_method, path, _headers, body) {
      if (path.endsWith(':predictLongRunning')) return replied({ name })
      const { operationName }: JsonObject = jsonIn(body)
      if (operationName !== name) return replied({ error: { code: 404, message: 'No.' } }, 404)
      const videos = [{ bytesBase64Encoded: bytes.toString('base64'), mimeType: 'video/mp4' }]
      return replied({ name, done: true, response: { videos } })
    },
  }
}
