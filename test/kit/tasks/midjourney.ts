/** An upstream of the protocol of midjourney-proxy that insists on every rule of it, and keeps its tasks. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'

export interface StrictMidjourney {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
  /** Its tasks by id, as the fetch shows them. */
  readonly tasks: ReadonlyMap<string, JsonObject>
  /** What the last submission was sent, and where. */
  readonly last: { readonly path: string; readonly body: JsonObject }
  change(id: string, fields: JsonObject): void
  /** The next submission is answered with this code. */
  refuseNext(code: number): void
}

const submitPath =
  /^(?:\/mj-(?:fast|relax|turbo))?\/mj\/(?:submit\/([a-z-]+)|(insight-face)\/swap)$/

/** What each action must have. */
const required: Readonly<Record<string, readonly string[]>> = {
  imagine: ['prompt'],
  change: ['taskId', 'action'],
  'simple-change': ['content'],
  action: ['taskId', 'customId'],
  modal: ['taskId'],
  describe: ['base64'],
  blend: ['base64Array'],
  shorten: ['prompt'],
  edits: ['prompt'],
  video: ['prompt'],
  'upload-discord-images': ['base64Array'],
  'insight-face': ['sourceBase64', 'targetBase64'],
}

/** Fields no client of the protocol sends. */
const unknown = ['model', 'submit', 'speed', 'verb']

export function strictMidjourney(secret = 'mj-key'): StrictMidjourney {
  const tasks = new Map<string, JsonObject>()
  const last: { path: string; body: JsonObject } = { path: '', body: {} }
  let nextId = 1712158011464906
  let nextCode = 0

  function submit(path: string, action: string, body: JsonObject): StrictReply {
    Object.assign(last, { path, body })
    const missing = (required[action] ?? ['']).find((field) => body[field] === undefined)
    const strange = unknown.find((field) => body[field] !== undefined)
    if (missing !== undefined) return refusal(4, `${missing} must not be empty`)
    if (strange !== undefined) return refusal(4, `${strange} is not known`)
    if (nextCode !== 0) {
      const code = nextCode
      nextCode = 0
      return refusal(code, 'refused on request')
    }
    const originId = body.taskId ?? (action === 'simple-change' ? firstWord(body.content) : '')
    const origin = tasks.get(String(originId))
    if (originId !== '' && origin === undefined) return refusal(3, 'the task does not exist')
    if (action === 'upload-discord-images') {
      return replied({ code: 1, description: 'Success', result: ['https://cdn.example/1.png'] })
    }
    if (action === 'modal') return begun(String(originId), { ...origin, status: 'SUBMITTED' })
    return begun(String(nextId++), taskOf(action, body), opensDialog(body) ? 21 : 1)
  }

  function begun(id: string, task: JsonObject, code = 1): StrictReply {
    tasks.set(id, { ...task, id, ...(code === 21 && { status: 'MODAL' }) })
    return replied({ code, description: 'Submit success', properties: {}, result: id })
  }

  function listed({ ids }: JsonObject): StrictReply {
    if (!Array.isArray(ids)) return refusal(4, 'ids must be a list')
    return replied(ids.flatMap((id) => tasks.get(String(id)) ?? []))
  }

  return {
    tasks,
    last,
    change: (id, fields) => tasks.set(id, { ...tasks.get(id), ...fields }),
    refuseNext: (code) => {
      nextCode = code
    },
    handle(method, path, headers, text) {
      if (headers['mj-api-secret'] !== secret) {
        return replied({ code: 4, description: 'unauthorized' }, 401)
      }
      const seed = /^\/mj\/task\/(\d+)\/image-seed$/.exec(path)
      if (method === 'GET' && seed !== null) return replied({ code: 1, result: '42' })
      if (method !== 'POST') return replied({ message: 'Method Not Allowed' }, 405)
      if (!headers['content-type']?.startsWith('application/json')) {
        return replied({ message: 'Unsupported Media Type' }, 415)
      }
      if (path === '/mj/task/list-by-condition') return listed(jsonIn(text))
      const [, action, swap] = submitPath.exec(path) ?? []
      const named = action ?? swap
      return named === undefined
        ? replied({ message: 'Not Found' }, 404)
        : submit(path, named, jsonIn(text))
    },
  }
}

function refusal(code: number, description: string): StrictReply {
  return replied({ code, description, properties: {}, result: null })
}

function opensDialog({ customId }: JsonObject): boolean {
  return /^MJ::(Inpaint|CustomZoom)/.test(String(customId))
}

function firstWord(content: unknown): string {
  return String(content).split(' ')[0] ?? ''
}

function taskOf(action: string, body: JsonObject): JsonObject {
  return {
    action: action === 'change' ? String(body.action) : action.toUpperCase(),
    prompt: body.prompt ?? '',
    state: body.state ?? '',
    submitTime: 1712158011464,
    startTime: 0,
    finishTime: 0,
    status: 'NOT_START',
    progress: '0%',
    imageUrl: '',
    failReason: '',
    buttons: [],
    properties: {},
  }
}
