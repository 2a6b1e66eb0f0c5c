/** An upstream of the protocol of Suno-API that insists on every rule of it, and keeps its tasks. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictSuno {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly tasks: ReadonlyMap<string, JsonObject>
  readonly last: { readonly path: string; readonly body: JsonObject }
  change(id: string, fields: JsonObject): void
}

const texts = ['prompt', 'gpt_description_prompt']
const unknown = ['model', 'submit', 'action']

export function strictSuno(key = 'suno-key'): StrictSuno {
  const tasks = new Map<string, JsonObject>()
  const last: { path: string; body: JsonObject } = { path: '', body: {} }

  function submit(path: string, action: string, body: JsonObject): StrictReply {
    Object.assign(last, { path, body })
    const strange = unknown.find((field) => body[field] !== undefined)
    if (strange !== undefined) return refusal(400, `${strange} is not known`)
    if (texts.every((field) => body[field] === undefined) && !body.make_instrumental) {
      return refusal(400, 'prompt must not be empty')
    }
    const { task_id: origin, continue_clip_id: clip } = body
    if (clip !== undefined && origin === undefined) return refusal(400, 'task_id is missing')
    if (origin !== undefined && !tasks.has(String(origin))) return refusal(400, 'task not exist')
    const id = `00000000-0000-4000-8000-${String(tasks.size + 1).padStart(12, '0')}`
    tasks.set(id, {
      task_id: id,
      action: action.toUpperCase(),
      status: 'NOT_START',
      fail_reason: '',
      submit_time: 1726911801,
      start_time: 0,
      finish_time: 0,
      progress: '0%',
      data: null,
    })
    return replied({ code: 'success', message: '', data: id })
  }

  function fetched({ ids }: JsonObject): StrictReply {
    if (!Array.isArray(ids)) return refusal(400, 'ids must be a list')
    const data = ids.flatMap((id) => tasks.get(String(id)) ?? [])
    return replied({ code: 'success', message: '', data })
  }

  return {
    tasks,
    last,
    change: (id, fields) => tasks.set(id, { ...tasks.get(id), ...fields }),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal(401, 'unauthorized')
      if (method !== 'POST') return refusal(405, 'method not allowed')
      if (path === '/suno/fetch') return fetched(jsonIn(text))
      const [, action] = /^\/suno\/submit\/(music|lyrics)$/.exec(path) ?? []
      return action === undefined ? refusal(404, 'not found') : submit(path, action, jsonIn(text))
    },
  }
}

function refusal(status: number, message: string): StrictReply {
  return replied({ code: 'invalid_request', message, data: null }, status)
}
