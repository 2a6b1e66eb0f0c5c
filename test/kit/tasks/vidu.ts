/** An upstream that insists on every rule of Vidu's documentation, and keeps its tasks. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictVidu {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly path: string; readonly body: JsonObject }
  finish(id: string): void
  change(id: string, fields: JsonObject): void
}

const common = ['model', 'prompt', 'duration', 'resolution', 'payload', 'callback_url', 'watermark']
const made = [...common, 'seed', 'movement_amplitude', 'bgm', 'off_peak', 'audio', 'is_rec']
const fields: Readonly<Record<string, readonly string[]>> = {
  text2video: [...made, 'aspect_ratio', 'style'],
  img2video: [...made, 'images', 'voice_id'],
  'start-end2video': [...made, 'images'],
  reference2video: [...made, 'images', 'subjects', 'aspect_ratio'],
  extend: [...common, 'images', 'video_url', 'video_creation_id'],
}
/** How many images each takes. */
const images: Readonly<Record<string, readonly [number, number]>> = {
  text2video: [0, 0],
  img2video: [1, 1],
  'start-end2video': [2, 2],
  reference2video: [1, 7],
  extend: [0, 1],
}

export function strictVidu(key = 'vidu-key'): StrictVidu {
  const tasks = new Map<string, JsonObject>()
  const last: { path: string; body: JsonObject } = { path: '', body: {} }

  function change(id: string, fields: JsonObject): void {
    tasks.set(id, { ...tasks.get(id), ...fields })
  }

  function submit(kind: string, body: JsonObject): StrictReply {
    const fault = faultOf(kind, body)
    if (fault !== undefined) return refusal(400, 'FieldInvalid', fault)
    const id = `8319223457192714${String(tasks.size + 10)}`
    change(id, { state: 'created', err_code: '', credits: 10, payload: '', creations: [] })
    return replied({
      duration: 5,
      resolution: '720p',
      ...body,
      task_id: id,
      state: 'created',
      credits: 10,
      created_at: '2025-01-01T15:41:31.968916Z',
    })
  }

  function ofTask(method: string, id: string, verb: string): StrictReply {
    const task = tasks.get(id)
    if (task === undefined) return refusal(404, 'NotFound', 'task not found')
    if (method === 'GET' && verb === 'creations') return replied(task)
    if (method !== 'POST' || verb !== 'cancel') return refusal(404, 'NotFound', 'no such path')
    if (task.state !== 'created' && task.state !== 'queueing') {
      return refusal(400, 'BadRequest', `task state is ${task.state}, can not cancel`)
    }
    change(id, { state: 'canceled' })
    return replied({})
  }

  return {
    last,
    change,
    finish: (id) =>
      change(id, {
        state: 'success',
        creations: [
          {
            id: clipOf(id),
            url: `https://vidu.example/${clipOf(id)}.mp4`,
            cover_url: `https://vidu.example/${clipOf(id)}.jpeg`,
          },
        ],
      }),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Token ${key}`) {
        return refusal(401, 'Unauthorized', 'invalid token')
      }
      if (method === 'POST' && headers['content-type'] !== 'application/json') {
        return refusal(400, 'BadRequest', 'no JSON')
      }
      const [, id, verb = ''] = /^\/ent\/v2\/tasks\/(\d+)\/(\w+)$/.exec(path) ?? []
      if (id !== undefined) return ofTask(method, id, verb)
      const kind = path.replace(/^\/ent\/v2\//, '')
      if (method !== 'POST' || fields[kind] === undefined) {
        return refusal(404, 'NotFound', 'no such path')
      }
      Object.assign(last, { path, body: jsonIn(text) })
      return submit(kind, last.body)
    },
  }
}

/** The id of what a task makes. */
export function clipOf(task: string): string {
  return String(BigInt(task) * 7n)
}

function refusal(code: number, reason: string, message: string): StrictReply {
  return replied({ code, reason, message, metadata: { trace_id: 't' } }, code)
}

function faultOf(kind: string, body: JsonObject): string | undefined {
  const strange = Object.keys(body).find((field) => !fields[kind]!.includes(field))
  if (strange !== undefined) return `${strange} is not known`
  if (!isText(body.model)) return 'model is required'
  if (kind === 'text2video' && !isText(body.prompt)) return 'prompt is required'
  const given = Array.isArray(body.images) ? body.images : []
  const [least, most] = images[kind]!
  const hasSubjects = kind === 'reference2video' && Array.isArray(body.subjects)
  if (!hasSubjects && (given.length < least || given.length > most)) return 'images'
  if (!given.every(isImage)) return 'images must be addresses or data URLs'
  const { duration = 5, aspect_ratio: aspect = '16:9' } = body
  if (!Number.isInteger(duration)) return 'duration must be an integer'
  if (!['16:9', '9:16', '1:1', '4:3', '3:4'].includes(String(aspect))) return 'aspect_ratio'
  if (kind !== 'extend') return undefined
  return isText(body.video_url) === isText(body.video_creation_id) ? 'video_url' : undefined
}

function isImage(value: Json): boolean {
  return typeof value === 'string' && /^(https?:\/\/|data:image\/\w+;base64,)/.test(value)
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== ''
}
