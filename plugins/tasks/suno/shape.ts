/** The operation's body as the upstream's request. The wire names the place beside it, which never goes out: `submit`. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext } from '../../../kernel/contract/task.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'

export const submitActions = ['music', 'lyrics'] as const

export function shape(
  body: Body,
  _channel: ChannelView,
  _model: string,
  { origin, callbackUrl }: TaskContext = {},
): Body {
  const { model: _, action, task_id: named, notify_hook: __, ...fields } = jsonOf(body)
  if (origin === undefined && typeof named === 'string' && named !== '') {
    throw invalidField('task_id', 'must name a task')
  }
  const value: JsonObject = {
    ...fields,
    ...(origin !== undefined && { task_id: origin.ref }),
    ...(callbackUrl !== undefined && { notify_hook: callbackUrl }),
    submit: textAt(jsonOf(body), 'action') ?? '',
  }
  return { kind: 'json', value }
}

export function pathOf({ submit }: JsonObject): string {
  const isKnown = submitActions.some((known) => known === submit)
  if (!isKnown) throw invalidField('action', `must be one of ${submitActions.join(', ')}`)
  return `/suno/submit/${submit}`
}
