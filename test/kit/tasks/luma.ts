/** An upstream that insists on the documented rules of Luma's Dream Machine API, and keeps its generations. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictLuma {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: JsonObject
  change(id: string, fields: JsonObject): void
  finish(id: string): void
  /** As it is reported to a callback. */
  report(id: string): Buffer
}

const root = '/dream-machine/v1/generations'
const fields = ['model', 'prompt', 'aspect_ratio', 'loop', 'duration', 'resolution', 'keyframes']
const more = ['callback_url', 'concepts', 'generation_type']

export function strictLuma(key = 'luma-key'): StrictLuma {
  const tasks = new Map<string, JsonObject>()
  let last: JsonObject = {}

  return {
    get last() {
      return last
    },
    change: (id, changed) => void tasks.set(id, { ...tasks.get(id), ...changed }),
    finish(id) {
      const assets = {
        video: `https://cdn.example/${id}.mp4`,
        image: `https://cdn.example/${id}.jpg`,
      }
      this.change(id, { state: 'completed', assets })
    },
    report: (id) => Buffer.from(JSON.stringify(tasks.get(id))),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal(401, 'Invalid API key')
      if (method === 'POST' && path === root) {
        last = jsonIn(text)
        const fault = faultOf(last, tasks)
        if (fault !== undefined) return refusal(400, fault)
        const id = `123e4567-e89b-12d3-a456-42661417400${tasks.size}`
        const made = { id, state: 'queued', created_at: '2026-11-25T12:00:00Z', request: last }
        tasks.set(id, { ...made, failure_reason: null, assets: null })
        return replied(tasks.get(id), 201)
      }
      const task = tasks.get(path.slice(root.length + 1))
      if (method !== 'GET' || task === undefined) return refusal(404, 'Generation not found')
      return replied(task)
    },
  }
}

function refusal(status: number, detail: string): StrictReply {
  return replied({ detail }, status)
}

function faultOf(body: JsonObject, tasks: ReadonlyMap<string, JsonObject>): string | undefined {
  const strange = Object.keys(body).find((field) => ![...fields, ...more].includes(field))
  if (strange !== undefined) return `${strange} is not permitted`
  const { model, prompt, duration, resolution, keyframes = {} } = body
  if (!/^ray-(1-6|2|flash-2)$/.test(String(model))) return 'Invalid model'
  if (prompt === undefined && body.keyframes === undefined) return 'Prompt is required'
  if (duration !== undefined && duration !== '5s' && duration !== '9s') return 'Invalid duration'
  if (resolution !== undefined && !/^(540p|720p|1080p|4k)$/.test(String(resolution))) {
    return 'Invalid resolution'
  }
  const frames = isObject(keyframes) ? Object.entries(keyframes) : [['x', null] as const]
  const wrong = frames.find(([name, frame]) => !/^frame[01]$/.test(name) || !isFrame(frame, tasks))
  return wrong && `Invalid keyframe ${wrong[0]}`
}

function isFrame(frame: Json | undefined, tasks: ReadonlyMap<string, JsonObject>): boolean {
  if (!isObject(frame)) return false
  if (frame.type === 'image') return /^https?:\/\//.test(String(frame.url))
  return frame.type === 'generation' && tasks.get(String(frame.id))?.state === 'completed'
}
