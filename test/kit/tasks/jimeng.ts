/** An upstream that insists on every rule of Jimeng's documentation, and keeps its tasks. The clock is in Unix milliseconds. */
import { createHash, createHmac } from 'node:crypto'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictJimeng {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  readonly last: { readonly body: JsonObject }
  change(id: string, data: JsonObject): void
  stop(id: string, code: number, message: string): void
}

interface Kept {
  readonly way: Json | undefined
  data: JsonObject
  stopped?: StrictReply
}

const fields = [
  'req_key',
  'prompt',
  'seed',
  'frames',
  'aspect_ratio',
  'image_urls',
  'binary_data_base64',
  'template_id',
  'camera_strength',
]
/** How many pictures each way takes. */
const ways: Readonly<Record<string, readonly number[]>> = {
  jimeng_t2v_v30: [0],
  jimeng_t2v_v30_1080p: [0],
  jimeng_i2v_first_v30: [1],
  jimeng_i2v_first_v30_1080: [1],
  jimeng_i2v_first_tail_v30: [2],
  jimeng_i2v_first_tail_v30_1080: [2],
  jimeng_i2v_recamera_v30: [1],
  jimeng_ti2v_v30_pro: [0, 1],
  jimeng_vgfm_t2v_l20: [0],
}
const aspects = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']

export function strictJimeng(
  accessKey = 'ak',
  secretKey = 'sk',
  clock = () => 1_774_805_076_000,
): StrictJimeng {
  const tasks = new Map<string, Kept>()
  const last: { body: JsonObject } = { body: {} }

  function submit(body: JsonObject): StrictReply {
    last.body = body
    const fault = faultOf(body)
    if (fault !== undefined) return refusal(400, 50215, `Input invalid for this service: ${fault}`)
    const id = String(7602141718759103050n + BigInt(tasks.size))
    tasks.set(id, { way: body.req_key, data: { status: 'in_queue' } })
    return succeeded({ task_id: id })
  }

  function result({ req_key: way, task_id: id }: JsonObject): StrictReply {
    const kept = tasks.get(String(id))
    if (kept === undefined || kept.way !== way) return succeeded({ status: 'not_found' })
    return kept.stopped ?? succeeded(kept.data)
  }

  return {
    last,
    change(id, data) {
      tasks.get(id)!.data = data
    },
    stop(id, code, message) {
      tasks.get(id)!.stopped = refusal(400, code, message)
    },
    handle(method, path, headers, text) {
      const { pathname, searchParams: query } = new URL(path, 'https://visual.volcengineapi.com')
      const isSigned = headers.authorization === signature(path, headers, text)
      const isFresh = Math.abs(timeOf(headers['x-date'] ?? '') - clock()) < 15 * 60_000
      if (!isSigned) return refused(401, 'SignatureDoesNotMatch')
      if (!isFresh) return refused(401, 'InvalidTimestamp')
      if (method !== 'POST' || pathname !== '/') return refused(404, 'InvalidActionOrVersion')
      if (headers['content-type'] !== 'application/json') return refusal(400, 50200, 'no JSON')
      if (query.get('Version') !== '2022-08-31') return refused(404, 'InvalidActionOrVersion')
      if (query.get('Action') === 'CVSync2AsyncSubmitTask') return submit(jsonIn(text))
      if (query.get('Action') === 'CVSync2AsyncGetResult') return result(jsonIn(text))
      return refused(404, 'InvalidActionOrVersion')
    },
  }

  function signature(
    path: string,
    { host = 'visual.volcengineapi.com', 'x-date': date = '' }: Readonly<Record<string, string>>,
    text: string,
  ): string {
    const [pathname, query = ''] = path.split('?')
    const day = date.slice(0, 8)
    const hash = createHash('sha256').update(text).digest('hex')
    const names = 'host;x-content-sha256;x-date'
    const lines = [`host:${host}`, `x-content-sha256:${hash}`, `x-date:${date}`, ''].join('\n')
    const request = `POST\n${pathname}\n${query}\n${lines}\n${names}\n${hash}`
    const digest = createHash('sha256').update(request).digest('hex')
    let key: Buffer = Buffer.from(secretKey)
    for (const part of [day, 'cn-north-1', 'cv', 'request']) key = mac(key, part)
    const scope = `${day}/cn-north-1/cv/request`
    const found = mac(key, `HMAC-SHA256\n${date}\n${scope}\n${digest}`).toString('hex')
    return `HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${found}`
  }
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function timeOf(date: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s))
}

function succeeded(data: JsonObject): StrictReply {
  return replied({ code: 10000, data, message: 'Success', request_id: 'r', status: 10000 })
}

function refusal(status: number, code: number, message: string): StrictReply {
  return replied({ code, data: null, message, request_id: 'r', status: code }, status)
}

function refused(status: number, code: string): StrictReply {
  const error = { CodeN: 100010, Code: code, Message: code }
  return replied({ ResponseMetadata: { RequestId: 'r', Error: error } }, status)
}

function faultOf(body: JsonObject): string | undefined {
  const strange = Object.keys(body).find((field) => !fields.includes(field))
  if (strange !== undefined) return strange
  const pictures = ways[String(body.req_key)]
  if (pictures === undefined) return 'req_key'
  const { image_urls: addresses, binary_data_base64: data, prompt, frames = 121 } = body
  if (addresses !== undefined && data !== undefined) return 'image_urls and binary_data_base64'
  const given = [addresses, data].flatMap((list) => (Array.isArray(list) ? list : []))
  if (!pictures.includes(given.length)) return 'the number of images'
  if (given.some((one) => /^data:/.test(String(one)))) return 'base64'
  if (pictures[0] === 0 && given.length === 0 && (typeof prompt !== 'string' || prompt === '')) {
    return 'prompt'
  }
  if (frames !== 121 && frames !== 241) return 'frames'
  const { aspect_ratio: aspect = '16:9' } = body
  return aspects.includes(String(aspect)) ? undefined : 'aspect_ratio'
}
