/** An upstream that insists on the documented rules of MiniMax's video generation, and keeps its tasks and files. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictHailuo {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: JsonObject
  change(id: string, fields: JsonObject): void
  finish(id: string): void
  fail(id: string, code: number, message: string): void
}

const fields = ['model', 'prompt', 'first_frame_image', 'last_frame_image', 'subject_reference']
const more = ['duration', 'resolution', 'prompt_optimizer', 'fast_pretreatment', 'aigc_watermark']
const fine = { status_code: 0, status_msg: 'success' }

export function strictHailuo(key = 'key'): StrictHailuo {
  const tasks = new Map<string, JsonObject>()
  let last: JsonObject = {}

  return {
    get last() {
      return last
    },
    change: (id, changed) => void tasks.set(id, { ...tasks.get(id), ...changed }),
    finish(id) {
      this.change(id, {
        status: 'Success',
        file_id: `9${id}`,
        video_width: 1366,
        video_height: 768,
      })
    },
    fail(id, status_code, status_msg) {
      this.change(id, { status: 'Fail', base_resp: { status_code, status_msg } })
    },
    handle(method, path, headers, text) {
      if (headers.authorization !== `Bearer ${key}`) return refusal(1004, 'login fail')
      if (method === 'POST' && path === '/v1/video_generation') {
        last = jsonIn(text)
        const fault = faultOf(last)
        if (fault !== undefined) return refusal(2013, `invalid params, ${fault}`)
        const id = String(106_916_112_212_032 + tasks.size)
        tasks.set(id, { task_id: id, status: 'Preparing', base_resp: fine })
        return replied({ task_id: id, base_resp: fine })
      }
      const { pathname, searchParams } = new URL(path, 'http://x')
      if (method === 'GET' && pathname === '/v1/query/video_generation') {
        const task = tasks.get(searchParams.get('task_id') ?? '')
        return task === undefined ? refusal(2013, 'invalid task_id') : replied(task)
      }
      const file = searchParams.get('file_id') ?? ''
      if (method === 'GET' && pathname === '/v1/files/retrieve' && tasks.has(file.slice(1))) {
        const download_url = `https://cdn.example/${file}.mp4`
        return replied({ file: { file_id: Number(file), download_url }, base_resp: fine })
      }
      return refusal(2013, 'invalid params')
    },
  }
}

function refusal(status_code: number, status_msg: string): StrictReply {
  return replied({ base_resp: { status_code, status_msg } })
}

function faultOf(body: JsonObject): string | undefined {
  const strange = Object.keys(body).find((field) => ![...fields, ...more].includes(field))
  if (strange !== undefined) return strange
  const { model, prompt, duration = 6, resolution = '768P' } = body
  if (typeof model !== 'string') return 'model'
  if (prompt === undefined && body.first_frame_image === undefined) return 'prompt'
  if (duration !== 6 && duration !== 10) return 'duration'
  if (!['512P', '720P', '768P', '1080P'].includes(String(resolution))) return 'resolution'
  return resolution === '1080P' && duration === 10 ? 'duration of 1080P' : undefined
}
