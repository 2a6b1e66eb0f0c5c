/** An upstream that insists on every rule of Kling's documentation, and keeps its tasks. The clock is in Unix milliseconds. */
import { createHmac } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictKling {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly path: string; readonly body: JsonObject }
  finish(id: string, seconds?: string): void
  fail(id: string, reason: string): void
  change(id: string, fields: JsonObject): void
}

const kinds = 'text2video|image2video|multi-image2video|omni-video|video-extend|lip-sync'
const submitPath = new RegExp(`^/v1/videos/(${kinds})$`)
const readPath = new RegExp(`^/v1/videos/(${kinds})/(\\d+)$`)

const shared = ['model_name', 'prompt', 'negative_prompt', 'cfg_scale', 'mode', 'duration', 'sound']
const common = ['callback_url', 'external_task_id', 'watermark_info']
/** Fields of each kind beside the common ones. */
const fields: Readonly<Record<string, readonly string[]>> = {
  text2video: [...shared, 'aspect_ratio', 'camera_control', 'voice_list'],
  image2video: [...shared, 'image', 'image_tail', 'static_mask', 'dynamic_masks', 'voice_list'],
  'multi-image2video': [...shared, 'image_list', 'aspect_ratio'],
  'omni-video': [...shared, 'image_list', 'video_list', 'element_list', 'aspect_ratio'],
  'video-extend': ['video_id', 'prompt', 'negative_prompt', 'cfg_scale'],
  'lip-sync': ['input'],
}

export function strictKling(accessKey = 'ak', secretKey = 'sk', clock = () => 1_774_805_076_000) {
  const tasks = new Map<string, { readonly kind: string; task: JsonObject }>()
  const last: { path: string; body: JsonObject } = { path: '', body: {} }

  function submit(kind: string, body: JsonObject): StrictReply {
    const fault = faultOf(kind, body)
    if (fault !== undefined) return refusal(400, 1201, fault)
    const id = String(867283741759111202n + BigInt(tasks.size))
    const now = clock()
    const task = { task_id: id, task_status: 'submitted', created_at: now, updated_at: now }
    tasks.set(id, { kind, task })
    return replied({ code: 0, message: 'SUCCEED', request_id: 'r', data: task })
  }

  function change(id: string, fields: JsonObject): void {
    const kept = tasks.get(id)!
    kept.task = { ...kept.task, ...fields }
  }

  const upstream: StrictKling = {
    last,
    change,
    finish: (id, duration = '5.041') =>
      change(id, {
        task_status: 'succeed',
        task_result: {
          videos: [{ id: clipOf(id), url: `https://cdn.example/${clipOf(id)}.mp4`, duration }],
        },
      }),
    fail: (id, reason) => change(id, { task_status: 'failed', task_status_msg: reason }),
    handle(method, path, headers, text) {
      const fault = keyFault(headers.authorization ?? '', accessKey, secretKey, clock())
      if (fault !== undefined) return refusal(401, ...fault)
      const [, wanted, id = ''] = readPath.exec(path) ?? []
      if (method === 'GET' && wanted !== undefined) {
        const kept = tasks.get(id)
        return kept?.kind === wanted
          ? replied({ code: 0, message: 'SUCCEED', request_id: 'r', data: kept.task })
          : refusal(404, 1203, 'task not found')
      }
      const [, kind] = submitPath.exec(path) ?? []
      if (method !== 'POST' || kind === undefined) return refusal(404, 1202, 'method is invalid')
      if (headers['content-type'] !== 'application/json') return refusal(400, 1200, 'no JSON')
      Object.assign(last, { path, body: jsonIn(text) })
      return submit(kind, last.body)
    },
  }
  return upstream
}

function refusal(status: number, code: number, message: string): StrictReply {
  return replied({ code, message, request_id: 'r' }, status)
}

/** The id of the clip a task makes. */
export function clipOf(task: string): string {
  return String(BigInt(task) * 7n)
}

/** Code and message. Undefined: the token is good. */
function keyFault(
  authorization: string,
  accessKey: string,
  secretKey: string,
  now: number,
): [number, string] | undefined {
  const [, head = '', claims = '', signature] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? []
  if (signature === undefined) return [1001, 'Authorization is empty or illegal']
  const signed = createHmac('sha256', secretKey).update(`${head}.${claims}`).digest('base64url')
  const { alg, typ } = decoded(head)
  const { iss, exp, nbf } = decoded(claims)
  if (alg !== 'HS256' || typ !== 'JWT' || signature !== signed) return [1002, 'is invalid']
  if (iss !== accessKey) return [1002, 'access key not found']
  if (!(Number(nbf) * 1000 <= now)) return [1003, 'Authorization is not yet valid']
  return Number(exp) * 1000 > now ? undefined : [1004, 'Authorization has expired']
}

function decoded(part: string): JsonObject {
  return jsonIn(Buffer.from(part, 'base64url').toString())
}

function faultOf(kind: string, body: JsonObject): string | undefined {
  const known = [...common, ...(fields[kind] ?? [])]
  const strange = Object.keys(body).find((field) => !known.includes(field))
  if (strange !== undefined) return `${strange} is not known`
  const { mode, duration, sound, aspect_ratio: aspect, prompt } = body
  if (mode !== undefined && mode !== 'std' && mode !== 'pro') return 'mode is invalid'
  if (duration !== undefined && !/^\d+$/.test(String(duration))) return 'duration is invalid'
  if (duration !== undefined && typeof duration !== 'string') return 'duration must be a string'
  if (sound !== undefined && sound !== 'on' && sound !== 'off') return 'sound is invalid'
  if (aspect !== undefined && !['16:9', '9:16', '1:1'].includes(String(aspect))) return 'ratio'
  if (kind === 'text2video' && !isText(prompt)) return 'prompt is empty'
  if (kind === 'image2video') return imagesFault([body.image, body.image_tail])
  if (kind === 'multi-image2video') return listFault(body.image_list, 'image', 4)
  if (kind === 'omni-video' && body.image_list !== undefined) {
    return listFault(body.image_list, 'image_url', 7)
  }
  if (kind === 'video-extend' && !isText(body.video_id)) return 'video_id is empty'
  return kind === 'lip-sync' ? lipFault(body.input) : undefined
}

function imagesFault(images: readonly (Json | undefined)[]): string | undefined {
  const given = images.filter((image) => image !== undefined)
  if (given.length === 0) return 'image and image_tail are empty'
  return given.every(isImage) ? undefined : 'File is not in a valid base64 format'
}

function listFault(list: Json | undefined, field: string, most: number): string | undefined {
  if (!Array.isArray(list) || list.length === 0 || list.length > most) return 'image_list'
  return imagesFault(list.map((one) => (isObject(one) ? (one[field] ?? null) : null)))
}

function lipFault(input: Json | undefined): string | undefined {
  if (!isObject(input)) return 'input is empty'
  if (isText(input.video_id) === isText(input.video_url)) return 'one of video_id and video_url'
  if (input.mode === 'text2video') {
    return isText(input.text) && isText(input.voice_id) ? undefined : 'text or voice_id is empty'
  }
  if (input.mode !== 'audio2video') return 'mode is invalid'
  if (input.audio_type === 'url') return isText(input.audio_url) ? undefined : 'audio_url is empty'
  return isText(input.audio_file) ? undefined : 'audio_file is empty'
}

function isImage(value: Json | undefined): boolean {
  return typeof value === 'string' && /^(https?:\/\/|[A-Za-z0-9+/]+={0,2}$)/.test(value)
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== ''
}
