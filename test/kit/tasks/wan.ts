/** An upstream that insists on the documented rules of DashScope's video synthesis, and keeps its tasks. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictWan {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly path: string; readonly body: JsonObject }
  run(id: string): void
  finish(id: string, usage?: JsonObject): void
  /** A task of pictures. */
  paint(id: string, addresses: readonly string[]): void
  fail(id: string, message: string): void
}

const services = '/api/v1/services/aigc/'
const older = ['prompt', 'negative_prompt', 'img_url', 'audio_url', 'reference_video_urls']
const frames = ['prompt', 'negative_prompt', 'first_frame_url', 'last_frame_url']
const newer = ['prompt', 'negative_prompt', 'media']
const kinds = ['first_frame', 'last_frame', 'first_clip', 'driving_audio']
const references = ['reference_image', 'reference_video']
const shared = ['resolution', 'duration', 'seed', 'watermark', 'audio', 'prompt_extend']

export function strictWan(key = 'key'): StrictWan {
  const tasks = new Map<string, JsonObject>()
  const usages = new Map<string, JsonObject>()
  const last: { path: string; body: JsonObject } = { path: '', body: {} }

  function change(id: string, fields: JsonObject): void {
    tasks.set(id, { ...tasks.get(id), ...fields })
  }

  return {
    last,
    run: (id) => change(id, { task_status: 'RUNNING' }),
    finish(id, usage = { duration: 5, video_count: 1, SR: 1080 }) {
      change(id, { task_status: 'SUCCEEDED', video_url: `https://cdn.example/${id}.mp4` })
      usages.set(id, usage)
    },
    paint(id, addresses) {
      const results = addresses.map((url) => ({
        url,
        orig_prompt: 'p',
        actual_prompt: 'p, in oil',
      }))
      change(id, { task_status: 'SUCCEEDED', end_time: '2026-11-25 12:00:00.000', results })
      usages.set(id, { image_count: addresses.length })
    },
    fail: (id, message) => change(id, { task_status: 'FAILED', code: 'InternalError', message }),
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal('InvalidApiKey', 401)
      if (method === 'POST' && path.startsWith(services)) {
        Object.assign(last, { path, body: jsonIn(text) })
        if (headers['x-dashscope-async'] !== 'enable') return refusal('AccessDenied', 403)
        const service = path.slice(services.length)
        const fault =
          service === 'text2image/image-synthesis'
            ? imageFault(last.body)
            : faultOf(service, last.body)
        if (fault !== undefined) return refusal('InvalidParameter', 400, fault)
        const id = `0385dc79-${tasks.size + 1}`
        tasks.set(id, { task_id: id, task_status: 'PENDING' })
        return replied({ request_id: 'r', output: tasks.get(id) })
      }
      const [, id = '', verb] = /^\/api\/v1\/tasks\/([\w-]+)(\/cancel)?$/.exec(path) ?? []
      const task = tasks.get(id)
      if (method === 'GET' && verb === undefined && id !== '') {
        const output = task ?? { task_id: id, task_status: 'UNKNOWN' }
        return replied({ request_id: 'r', output, usage: usages.get(id) })
      }
      if (method !== 'POST' || verb === undefined) return refusal('InvalidURL', 404)
      if (task?.task_status !== 'PENDING') return refusal('UnsupportedOperation', 400)
      change(id, { task_status: 'CANCELED' })
      return replied({ request_id: 'r' })
    },
  }
}

function refusal(code: string, status: number, message = code): StrictReply {
  return replied({ request_id: 'r', code, message }, status)
}

const pictureFields = ['size', 'n', 'seed', 'prompt_extend', 'watermark']

function imageFault({ model, input, parameters = {} }: JsonObject): string | undefined {
  if (!/^(wanx?2\.[0-5]-t2i-\w+|wanx-v1|qwen-image(-plus)?)$/.test(String(model))) return 'model'
  if (!isObject(input) || !isObject(parameters)) return 'input is missing'
  if (typeof input.prompt !== 'string' || input.prompt === '') return 'prompt is missing'
  const strange = Object.keys(input).find((name) => !['prompt', 'negative_prompt'].includes(name))
  const unknown = Object.keys(parameters).find((name) => !pictureFields.includes(name))
  if (strange !== undefined || unknown !== undefined) return `${strange ?? unknown} is not known`
  const { size = '1024*1024', n = 4 } = parameters
  if (!/^\d{3,4}\*\d{3,4}$/.test(String(size))) return 'size'
  return typeof n === 'number' && n >= 1 && n <= 4 ? undefined : 'n'
}

function faultOf(service: string, { model, input, parameters = {} }: JsonObject) {
  const name = String(model)
  if (!isObject(input) || !isObject(parameters)) return 'input is missing'
  const isFrames = service === 'image2video/video-synthesis'
  if (!isFrames && service !== 'video-generation/video-synthesis') return 'url error'
  const isNewer = !/^wanx?2\.[1-6]-/.test(name)
  const known = isFrames ? frames : isNewer ? newer : older
  const strange = Object.keys(input).find((field) => !known.includes(field))
  if (strange !== undefined) return `${strange} is not known`
  const frame = isNewer ? 'ratio' : 'size'
  const unknown = Object.keys(parameters).find((field) => ![...shared, frame].includes(field))
  if (unknown !== undefined) return `${unknown} is not known`
  const { size, resolution } = parameters
  if (size !== undefined && !/^\d+\*\d+$/.test(String(size))) return 'size'
  if (resolution !== undefined && !/^\d+P$/.test(String(resolution))) return 'resolution'
  const allowed = name.includes('r2v') ? references : kinds
  const media = Array.isArray(input.media) ? input.media : []
  return media.every((one) => isObject(one) && allowed.includes(String(one.type)))
    ? undefined
    : 'media'
}
