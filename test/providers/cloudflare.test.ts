/** Cloudflare: the account in the path, wherever it is reported, and refusals in the words of its API. */
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import create from '../../providers/cloudflare/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
const context = { now: 0, forwarded: { headers: {} }, model: '@cf/meta/llama', stream: false }
const ai = 'https://api.cloudflare.com/client/v4/accounts/0a1b/ai'

function urlOf(baseUrl: string, account?: string): string {
  const settings = account === undefined ? {} : { account }
  const channel = { id: 1, type: 39, baseUrl, settings }
  return chat.address({ kind: 'none' }, channel, { key: 'k' }, context).url
}

t.test('the account is a setting or stands in the base URL', async (t) => {
  const base = 'https://api.cloudflare.com'
  for (const [baseUrl, account] of [
    [base, ' 0a1b '],
    [`${base}/client/v4/`, '0a1b'],
    [`${base}/client/v4/accounts/0a1b`, undefined],
    [ai, 'other'],
    [`${ai}/v1/`, undefined],
  ] as const) {
    t.equal(urlOf(baseUrl, account), `${ai}/v1/chat/completions`, baseUrl)
  }
  const gateway = 'https://gateway.ai.cloudflare.com/v1/0a1b/my-gateway/workers-ai'
  t.equal(urlOf(`${gateway}/v1`), `${gateway}/v1/chat/completions`)
  const embeddings = adapterOf(create(), 'embeddings')
  const channel = { id: 1, type: 39, baseUrl: ai, settings: {} }
  t.equal(
    embeddings.address({ kind: 'none' }, channel, { key: 'k' }, context).url,
    `${ai}/v1/embeddings`,
  )
})

t.test(
  'without an account, or with one that would reach elsewhere, nothing is called',
  async (t) => {
    for (const account of [undefined, '', '../x', 'a/b', 'a?b']) {
      t.throws(
        () => urlOf('https://api.cloudflare.com', account),
        { code: 'channel:address_refused' },
        JSON.stringify(account),
      )
    }
  },
)

t.test('a refusal that is the client’s own is reported in the words of the service', async (t) => {
  const body = { success: false, errors: [{ code: 5006, message: 'AiError: Bad input: x' }] }
  t.match(chat.fail(400, {}, Buffer.from(JSON.stringify(body))), {
    blame: 'client',
    message: /Bad input: x/,
  })
})

const channel = { id: 1, type: 39, baseUrl: ai, settings: {} }
const schnell = '@cf/black-forest-labs/flux-1-schnell'
const stableDiffusion = '@cf/stabilityai/stable-diffusion-xl-base-1.0'

function shaped(operation: OperationName, body: Body, model: string): Body {
  return adapterOf(create(), operation).shape!(body, channel, model)
}

function pictured(fields: JsonObject, model: string): Body {
  return shaped('images', { kind: 'json', value: { model, ...fields } }, model)
}

t.test('what runs natively is addressed by its model, at a gateway without `run`', async (t) => {
  const url = (baseUrl: string) =>
    adapterOf(create(), 'images').address(
      { kind: 'none' },
      { ...channel, baseUrl },
      { key: 'k' },
      { ...context, model: '@cf/a/b c' },
    ).url
  t.equal(url(ai), `${ai}/run/@cf/a/b%20c`)
  const gateway = 'https://gateway.ai.cloudflare.com/v1/0a1b/my-gateway/workers-ai'
  t.equal(url(gateway), `${gateway}/@cf/a/b%20c`)
  t.throws(() =>
    adapterOf(create(), 'images').address(
      { kind: 'none' },
      channel,
      { key: 'k' },
      { ...context, model: '@cf/../../tokens' },
    ),
  )
})

t.test('a picture is described in the words of its model', async (t) => {
  const prompt = 'A house'
  t.strictSame(pictured({ prompt, size: '1024x768', quality: 'auto', n: 1 }, stableDiffusion), {
    kind: 'json',
    value: { width: 1024, height: 768, prompt },
  })
  const wished = { prompt, quality: 'hd', style: 'vivid' }
  t.strictSame(pictured(wished, schnell), { kind: 'json', value: wished })
  const { refuses } = adapterOf(create(), 'images')
  t.strictSame(refuses!(wished, channel, schnell), ['quality', 'style'], 'it is reported')
  t.strictSame(pictured({ prompt, size: '1024x1024', steps: 4 }, schnell), {
    kind: 'json',
    value: { prompt, steps: 4 },
  })
  t.strictSame(pictured({ prompt, size: '512x512' }, '@cf/black-forest-labs/flux-2-dev'), {
    kind: 'form',
    fields: { width: 512, height: 512, prompt },
    files: [],
  })
  for (const fields of [{ size: '512x512' }, { size: 'big' }, { n: 2 }, { stream: true }]) {
    t.throws(() => pictured({ prompt, ...fields }, schnell), { code: 'not_expressible' })
  }
})

t.test('a recording becomes base64, with the task, the language and the prompt', async (t) => {
  const file = { field: 'file', filename: 'a.mp3', mime: 'audio/mpeg', bytes: Buffer.from('abc') }
  const recording = (fields: JsonObject): Body => ({ kind: 'form', fields, files: [file] })
  const model = '@cf/openai/whisper-large-v3-turbo'
  const fields = { model, language: 'en', prompt: 'Names', temperature: '0' }
  t.strictSame(shaped('transcriptions', recording(fields), model), {
    kind: 'json',
    value: { audio: 'YWJj', task: 'transcribe', language: 'en', initial_prompt: 'Names' },
  })
  t.strictSame(shaped('translations', recording({ model }), model), {
    kind: 'json',
    value: { audio: 'YWJj', task: 'translate' },
  })
  for (const more of [{ response_format: 'srt' }, { stream: 'true' }, { stream: '1' }]) {
    t.throws(() => shaped('transcriptions', recording({ model, ...more }), model), {
      code: 'not_expressible',
    })
  }
  const { serves } = adapterOf(create(), 'transcriptions')
  t.ok(serves!(channel, model))
  t.notOk(serves!(channel, '@cf/openai/whisper'), 'it takes a list of numbers')
})
