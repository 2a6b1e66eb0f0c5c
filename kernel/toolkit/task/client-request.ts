/** What clients write of a task beside the fields of its operation. */
import type { TaskRequest } from '../../contract/endpoint.js'
import type { Json } from '../../contract/json.js'
import { changed, type JsonBody } from '../body/body.js'
import { invalidField } from '../operation/checks.js'

export interface ClientTask {
  readonly body: JsonBody
  readonly task: TaskRequest
}

/**
 * Takes `callback_url` and `origin_task_id`, which are for the gateway alone, out of the body. The address is checked before the
 * task is planned, and the origin where it is looked up. Throws a `Refusal` where one is no text.
 */
export function clientTask(body: JsonBody): ClientTask {
  const { callback_url: callbackUrl, origin_task_id: originId, ...fields } = body.value
  if (callbackUrl === undefined && originId === undefined) return { body, task: {} }
  const callback = textOf(callbackUrl, 'callback_url')
  const origin = textOf(originId, 'origin_task_id')
  return {
    body: changed(body, fields),
    task: {
      ...(callback !== undefined && { callbackUrl: callback }),
      ...(origin !== undefined && { originId: origin }),
    },
  }
}

function textOf(value: Json | undefined, field: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw invalidField(field, 'must be a string')
  return value
}
