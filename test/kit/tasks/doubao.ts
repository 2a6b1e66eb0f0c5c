/** An upstream that insists on every rule of VolcEngine Ark's tasks of clips, and keeps its tasks. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictDoubao {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly body: JsonObject }
  finish(id: string, tokens: number): void
  change(id: string, fields: JsonObject): void
}

const root = '/api/v3/contents/generations/tasks'
const fields = [
  'model',
  'content',
  'resolution',
  'ratio',
  'duration',
  'frames',
  'seed',
  'watermark',
  'camera_fixed',
  'generate_audio',
  'callback_url',
  'return_last_frame',
  'service_tier',
  'execution_expires_after',
  'draft',
]
const booleans = ['watermark', 'camera_fixed', 'generate_audio', 'return_last_frame', 'draft']
const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive']
const roles: Readonly<Record<string, readonly string[]>> = {
  image_url: ['first_frame', 'last_frame', 'reference_image'],
  video_url: ['reference_video'],
  audio_url: ['reference_audio'],
}

export function strictDoubao(key = 'ark-key'): StrictDoubao {
  const tasks = new Map<string, JsonObject>()
  const last: { body: JsonObject } = { body: {} }

  function change(id: string, fields: JsonObject): void {
    tasks.set(id, { ...tasks.get(id), ...fields })
  }

  function submit(body: JsonObject): StrictReply {
    last.body = body
    const param = faultIn(body)
    if (param !== undefined) return refusal(400, 'InvalidParameter', `${param} is not valid`, param)
    const id = `cgt-20260521153338-${tasks.size + 1}`
    const { model, resolution = '720p', duration = 5 } = body
    change(id, { id, model, status: 'queued', created_at: 1779348818, updated_at: 1779348818 })
    change(id, { resolution, duration, framespersecond: 24 })
    return replied({ id })
  }

  /** Ends what waits, and deletes the record of what is done. */
  function remove(id: string): StrictReply {
    const status = String(tasks.get(id)?.status)
    if (status === 'running' || status === 'cancelled') {
      return refusal(409, 'InvalidAction', `a ${status} task cannot be cancelled`)
    }
    if (status === 'queued') change(id, { status: 'cancelled' })
    else tasks.delete(id)
    return replied({})
  }

  return {
    last,
    change,
    finish: (id, tokens) =>
      change(id, {
        status: 'succeeded',
        content: { video_url: `https://tos.example/clip-${id.split('-').at(-1)}.mp4` },
        usage: { completion_tokens: tokens, total_tokens: tokens },
      }),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) {
        return refusal(
          401,
          'AuthenticationError',
          'The API key in the request is missing or invalid',
        )
      }
      if (method === 'POST' && path === root) {
        if (headers['content-type'] !== 'application/json') return refusal(415, 'x', 'no JSON')
        return submit(jsonIn(text))
      }
      const id = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
      const task = tasks.get(id)
      if (task === undefined) return refusal(404, 'ResourceNotFound', 'the task does not exist')
      if (method === 'GET') return replied(task)
      return method === 'DELETE' ? remove(id) : refusal(405, 'x', 'method not allowed')
    },
  }
}

function refusal(status: number, code: string, message: string, param = ''): StrictReply {
  return replied({ error: { code, message, param, type: 'BadRequest' } }, status)
}

/** The parameter at fault. */
function faultIn(body: JsonObject): string | undefined {
  const strange = Object.keys(body).find((field) => !fields.includes(field))
  if (strange !== undefined) return strange
  if (typeof body.model !== 'string' || body.model === '') return 'model'
  const unclear = booleans.find((name) => !['undefined', 'boolean'].includes(typeof body[name]))
  if (unclear !== undefined) return unclear
  const { resolution = '720p', ratio = '16:9', duration = 5, service_tier: tier = 'flex' } = body
  if (!['480p', '720p', '1080p', '4k'].includes(String(resolution))) return 'resolution'
  if (!ratios.includes(String(ratio))) return 'ratio'
  if (!Number.isInteger(duration) || (Number(duration) < 2 && duration !== -1)) return 'duration'
  if (tier !== 'default' && tier !== 'flex') return 'service_tier'
  return contentFault(body.content)
}

function contentFault(content: Json | undefined): string | undefined {
  if (!Array.isArray(content) || content.length === 0) return 'content'
  const parts = content.filter(isObject)
  if (parts.length < content.length) return 'content'
  const given = parts.map(({ role }) => String(role))
  const isOfFrames = given.some((role) => role.endsWith('_frame'))
  if (isOfFrames && given.some((role) => role.startsWith('reference_'))) return 'content.role'
  if (given.includes('last_frame') && !given.includes('first_frame')) return 'content.role'
  return parts.every(isPart) ? undefined : 'content'
}

function isPart(part: JsonObject): boolean {
  const { type, role } = part
  if (type === 'text') return typeof part.text === 'string' && part.text !== ''
  const source = part[String(type)]
  if (!isObject(source) || !roles[String(type)]?.includes(String(role))) return false
  const isAddress = /^https?:\/\//.test(String(source.url))
  return isAddress || (type !== 'video_url' && /^data:\w+\/\w+;base64,/.test(String(source.url)))
}
