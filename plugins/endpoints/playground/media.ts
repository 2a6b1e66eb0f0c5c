/** Media tasks of the Playground, in the forms of their operations. What is done follows from the model, which is priced by it. */
import type { Dialect, RelayRequest } from '../../../kernel/contract/endpoint.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { TaskOperationName } from '../../../kernel/contract/names.js'
import { changed } from '../../../kernel/toolkit/body/index.js'
import { invalidField, requiredModel } from '../../../kernel/toolkit/operation/index.js'
import { actionOfModel, clientTask } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'
import type { Requested } from './request.js'
import { taskObject } from './task-object.js'

type Relayed = Omit<RelayRequest, 'format' | 'credential'>

const dialect: Dialect = {
  optional: [],
  answer: (record) => taskObject(record as unknown as TaskRecord),
}

/** Pages load no pictures from elsewhere, and these models return addresses unless the bytes are requested. */
export function imagesRequest({ body, ...group }: Requested): Relayed {
  const { model, response_format: form } = body.value
  const asBytes = form === undefined && /^dall-e/.test(String(model))
  const requested = asBytes ? changed(body, { ...body.value, response_format: 'b64_json' }) : body
  return { operation: 'images', ...group, body: requested }
}

export function videoTask({ body: sent, ...group }: Requested): Relayed {
  const { body, task } = clientTask(sent)
  return { operation: 'video', ...group, body, dialect, task }
}

export function musicTask({ body: { value }, ...group }: Requested): Relayed {
  const { notify_hook: _, task_id: __, continue_clip_id: ___, ...fields } = value
  const { operation, body } = acting('music', fields)
  return { operation, ...group, body, dialect, task: {} }
}

/** Fields without which an action means nothing. */
const required: Readonly<Record<string, string | undefined>> = {
  imagine: 'prompt',
  shorten: 'prompt',
  blend: 'base64Array',
  describe: 'base64',
  swap: 'sourceBase64',
}

/** Reports go nowhere, and whose account upstream makes it is the operator's to say. */
export function midjourneyTask({ body: { value }, ...group }: Requested): Relayed {
  const { notifyHook: _, accountFilter: __, verb: ___, speed: ____, ...fields } = value
  const { operation, body, action } = acting('midjourney', fields)
  const field = required[action]
  if (field !== undefined && isEmpty(fields, field)) throw invalidField(field, 'must not be empty')
  return { operation, ...group, body, dialect, task: {} }
}

function acting(operation: TaskOperationName, fields: JsonObject) {
  const model = requiredModel(fields.model)
  const action = actionOfModel(operation, model)
  if (action === undefined) throw invalidField('model', 'must be one that begins something new')
  const body = { kind: 'json', value: { ...fields, model, action } } as const
  return { operation, body, action }
}

function isEmpty(fields: JsonObject, name: string): boolean {
  const value = fields[name] ?? ''
  return value === '' || (Array.isArray(value) && value.length === 0)
}
