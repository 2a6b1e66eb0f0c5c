/** An upstream that insists on the documented rules of OpenAI's Videos API, and keeps its tasks. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { readForm } from '../../../kernel/toolkit/body/index.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictSora {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly path: string; readonly body: JsonObject; readonly file?: string }
  finish(id: string): void
  fail(id: string, message: string): void
  change(id: string, fields: JsonObject): void
  forget(id: string): void
}

const fields = ['model', 'prompt', 'seconds', 'size', 'input_reference']
const lengths = ['4', '8', '12', '16', '20']
const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024', '1080x1920', '1920x1080']

export function strictSora(key = 'sk-test'): StrictSora {
  const tasks = new Map<string, JsonObject>()
  const last: { path: string; body: JsonObject; file?: string } = { path: '', body: {} }

  function kept(task: JsonObject): StrictReply {
    const id = `video_${tasks.size + 1}`
    const made = { id, object: 'video', created_at: 1_758_941_485, status: 'queued', progress: 0 }
    tasks.set(id, { ...made, ...task })
    return replied(tasks.get(id))
  }

  function create(body: JsonObject, file?: string): StrictReply {
    const strange = Object.keys(body).find((field) => !fields.includes(field))
    if (strange !== undefined) return refusal(`Unknown parameter: '${strange}'.`, strange)
    const { model, prompt, seconds = '4', size = '720x1280', input_reference: picture } = body
    if (typeof prompt !== 'string' || prompt === '') return refusal('prompt is empty', 'prompt')
    if (!lengths.includes(String(seconds)) || typeof seconds !== 'string') {
      return refusal(`Invalid value: '${seconds}'.`, 'seconds')
    }
    if (!sizes.includes(String(size))) return refusal(`Invalid value: '${size}'.`, 'size')
    const isPicture = isObject(picture) && typeof picture.image_url === 'string'
    if (picture !== undefined && (!isPicture || file !== undefined)) {
      return refusal('input_reference is invalid', 'input_reference')
    }
    return kept({ model, seconds, size })
  }

  function remix(id: string, body: JsonObject): StrictReply {
    const task = tasks.get(id)
    if (task === undefined) return missing(id)
    if (task.status !== 'completed') return refusal('The video is not completed.', 'id')
    if (Object.keys(body).join() !== 'prompt') return refusal('only prompt is taken', 'prompt')
    const { model, seconds, size } = task
    return kept({ model, seconds, size, remixed_from_video_id: id })
  }

  return {
    last,
    change: (id, changed) => void tasks.set(id, { ...tasks.get(id), ...changed }),
    finish(id) {
      this.change(id, { status: 'completed', progress: 100, completed_at: 1_758_941_690 })
    },
    fail(id, message) {
      this.change(id, { status: 'failed', error: { code: 'moderation_blocked', message } })
    },
    forget: (id) => void tasks.delete(id),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal('Incorrect API key.', null, 401)
      const [, id = '', verb] = /^\/v1\/videos(?:\/(\w+)(?:\/(content|remix))?)?$/.exec(path) ?? []
      if (method === 'GET' && id !== '') {
        const task = tasks.get(id)
        if (task === undefined) return missing(id)
        if (verb !== 'content') return replied(task)
        if (task.status !== 'completed') return refusal('Video is not ready.', null, 404)
        return clipOf(headers.range)
      }
      if (method !== 'POST') return refusal('Not found', null, 404)
      const type = headers['content-type'] ?? ''
      const form = type.startsWith('multipart/') ? readForm(Buffer.from(text), type) : undefined
      const file = form?.files[0]?.bytes.toString()
      Object.assign(last, { path, body: form?.fields ?? jsonIn(text), file })
      if (verb === 'remix') return remix(id, last.body)
      return path === '/v1/videos'
        ? create(last.body, file)
        : refusal('Invalid URL (POST)', null, 404)
    },
  }
}

/** Of three bytes, or one stretch of them. */
function clipOf(range: string | undefined): StrictReply {
  const body = Buffer.from('mp4')
  const headers = { 'content-type': 'video/mp4' }
  const [, from, to] = /^bytes=(\d)-(\d)$/.exec(range ?? '') ?? []
  if (from === undefined) return { status: 200, headers, body }
  const stretch = body.subarray(Number(from), Number(to) + 1)
  const content = { ...headers, 'content-range': `bytes ${from}-${to}/${body.length}` }
  return { status: 206, headers: content, body: stretch }
}

function missing(id: string): StrictReply {
  return refusal(`Video with id '${id}' not found.`, null, 404)
}

function refusal(message: string, param: string | null, status = 400): StrictReply {
  return replied({ error: { message, type: 'invalid_request_error', param, code: null } }, status)
}
