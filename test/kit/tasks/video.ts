/** A gateway of the family as the upstream: `/v1/video/generations`, with tasks in an envelope or bare. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictVideo {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: JsonObject
  finish(id: string, url: string): void
  fail(id: string, reason: string): void
  change(id: string, fields: JsonObject): void
}

const texts = ['model', 'prompt', 'image', 'image_tail', 'size', 'user', 'mode', 'video']
const numbers = ['width', 'height', 'duration', 'fps', 'seed', 'n']
const others = ['images', 'metadata', 'response_format', 'negative_prompt', 'audio_url']
const known = [...texts, ...numbers, ...others, 'audio', 'watermark', 'resolution', 'aspect_ratio']

/** `enveloped`: tasks are read as `{code, data}`, as most of the family have them. */
export function strictVideo(key = 'sk-test', enveloped = true): StrictVideo {
  const tasks = new Map<string, JsonObject>()
  let last: JsonObject = {}

  function submit(body: JsonObject): StrictReply {
    last = body
    const strange = Object.keys(body).find((field) => !known.includes(field))
    if (strange !== undefined) return refusal(`${strange} is not known`)
    const text = texts.find((name) => body[name] !== undefined && typeof body[name] !== 'string')
    const number = numbers.find((name) => body[name] !== undefined && !(Number(body[name]) >= 0))
    if (text !== undefined || number !== undefined) return refusal(`${text ?? number} is invalid`)
    if (typeof body.model !== 'string') return refusal('model is required')
    const id = `task_${tasks.size + 1}`
    tasks.set(id, {
      id: tasks.size + 1,
      task_id: id,
      status: 'SUBMITTED',
      progress: '0%',
      submit_time: 1_764_064_000,
    })
    return replied({ task_id: id })
  }

  return {
    get last() {
      return last
    },
    change: (id, fields) => void tasks.set(id, { ...tasks.get(id), ...fields }),
    finish(id, url) {
      const usage = { completion_tokens: 108_900, total_tokens: 109_000 }
      const done = { status: 'SUCCESS', progress: '100%', finish_time: 1_764_064_090 }
      this.change(id, { ...done, result_url: url, data: { usage } })
    },
    fail(id, reason) {
      this.change(id, { status: 'FAILURE', progress: '100%', fail_reason: reason })
    },
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal('invalid token', 401)
      if (method === 'POST' && path === '/v1/video/generations') {
        if (headers['content-type'] !== 'application/json') return refusal('no JSON')
        return submit(jsonIn(text))
      }
      const [, id = ''] = /^\/v1\/video\/generations\/(\w+)$/.exec(path) ?? []
      const task = tasks.get(id)
      if (method !== 'GET' || task === undefined) return refusal('task_not_exist')
      return replied(enveloped ? { code: 'success', message: '', data: task } : task)
    },
  }
}

function refusal(message: string, status = 400): StrictReply {
  return replied({ error: { message, type: 'gateway_error', param: '', code: '' } }, status)
}
