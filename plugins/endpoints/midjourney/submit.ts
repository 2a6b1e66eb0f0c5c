/** A submission as the operation `midjourney`: the action of the path goes into the body, the task it goes on from beside it. */
import type { Inbound, RelayRequest, TaskRequest } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import { jsonBody } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  areTexts,
  checkFields,
  invalidField,
  isText,
  oneOf,
} from '../../../kernel/toolkit/operation/index.js'
import { errorFormat } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import { credentialOf } from './caller.js'
import { changes, modelOf, simpleChange } from './models.js'
import { submitAnswer } from './submit-answer.js'

export type Speed = 'fast' | 'relax' | 'turbo'

const rules = {
  prompt: isText,
  taskId: isText,
  customId: isText,
  notifyHook: isText,
  state: isText,
  base64: isText,
  maskBase64: isText,
  sourceBase64: isText,
  targetBase64: isText,
  base64Array: areTexts,
} as const

/** Fields an action means nothing without. */
const required: ReadonlyMap<string, readonly string[]> = new Map([
  ['imagine', ['prompt']],
  ['change', ['taskId', 'action']],
  ['simple-change', ['content']],
  ['action', ['taskId', 'customId']],
  ['modal', ['taskId']],
  ['shorten', ['prompt']],
  ['blend', ['base64Array']],
  ['upload-discord-images', ['base64Array']],
  ['swap', ['sourceBase64', 'targetBase64']],
])

export function relayOf(
  inbound: Inbound,
  action: string,
  speed: Speed | undefined,
  settings: Pick<Settings, 'boolean'>,
): RelayRequest {
  const { value } = jsonBody(inbound)
  check(action, value)
  const model = modelOf(action, value)
  if (model === undefined) {
    throw new Refusal('not_found', { method: inbound.method, path: inbound.path.slice(0, 200) })
  }
  const fields = bodyOf(value, settings)
  return {
    operation: 'midjourney',
    format: errorFormat('midjourney'),
    body: { kind: 'json', value: { ...fields, model, action, ...(speed && { speed }) } },
    credential: inbound.credential ?? credentialOf(inbound.client),
    task: taskOf(action, value, settings),
    dialect: {
      optional: [],
      answer: (record) => submitAnswer(record as unknown as TaskRecord),
    },
  }
}

function check(action: string, body: JsonObject): void {
  checkFields(body, rules)
  const missing = required.get(action)?.find((field) => (body[field] ?? '') === '')
  if (missing !== undefined) throw invalidField(missing, 'must not be empty')
  if (action === 'change') checkFields(body, { action: oneOf(changes) })
  if (action === 'simple-change' && simpleChange(body.content) === undefined) {
    throw invalidField('content', 'must be a task and U1 to U4, V1 to V4 or R')
  }
}

/** The client's own `action` gives way to that of the path; its address for reports goes to nobody else. */
function bodyOf(body: JsonObject, settings: Pick<Settings, 'boolean'>): JsonObject {
  const { action, accountFilter, prompt, verb: _, speed: __, notifyHook: ___, ...fields } = body
  const mayFilter = settings.boolean('accountFilter')
  const clears = settings.boolean('modeClear') && typeof prompt === 'string'
  return {
    ...fields,
    ...(prompt !== undefined && { prompt: clears ? withoutMode(prompt) : prompt }),
    ...(action !== undefined && { verb: action }),
    ...(accountFilter !== undefined && mayFilter && { accountFilter }),
  }
}

function withoutMode(prompt: string): string {
  return prompt.replace(/(^|\s)--(?:fast|relax|turbo)(?=\s|$)/gi, '$1').trim()
}

function taskOf(
  action: string,
  { taskId, content, notifyHook }: JsonObject,
  settings: Pick<Settings, 'boolean'>,
): TaskRequest {
  const originId = action === 'simple-change' ? simpleChange(content)?.taskId : taskId
  const isNamed = typeof originId === 'string' && originId !== ''
  const unfinished = action === 'modal' || !settings.boolean('actionCheckSuccess')
  const notified = settings.boolean('notify') && typeof notifyHook === 'string' && notifyHook !== ''
  return {
    ...(isNamed && { originId }),
    ...(isNamed && unfinished && { originUnfinished: true }),
    ...(notified && { callbackUrl: notifyHook, callbackField: 'notifyHook' }),
  }
}
