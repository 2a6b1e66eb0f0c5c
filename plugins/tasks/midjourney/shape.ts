/** The operation's body as the proxy's request. The wire names the place beside it, which never goes out: `submit` and `speed`. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext } from '../../../kernel/contract/task.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'

/** The last word of the path, and the swap of faces, which has a path of its own. */
export const submitActions = [
  'imagine',
  'change',
  'simple-change',
  'action',
  'modal',
  'describe',
  'blend',
  'shorten',
  'edits',
  'video',
  'upload-discord-images',
  'swap',
] as const

/** Those that mean nothing without the task they go on from. */
const fromOrigin: ReadonlySet<string> = new Set(['change', 'simple-change', 'action', 'modal'])

export function shape(
  body: Body,
  _channel: ChannelView,
  _model: string,
  { origin, callbackUrl }: TaskContext = {},
): Body {
  const { model: _, action, verb, speed, notifyHook: __, ...fields } = jsonOf(body)
  const submit = textAt(jsonOf(body), 'action') ?? ''
  if (origin === undefined && fromOrigin.has(submit)) {
    throw invalidField(submit === 'simple-change' ? 'content' : 'taskId', 'must name a task')
  }
  const value: JsonObject = {
    ...fields,
    ...(verb !== undefined && { action: verb }),
    ...(origin !== undefined && originIn(fields, submit, origin.ref)),
    ...(callbackUrl !== undefined && { notifyHook: callbackUrl }),
    submit,
    ...(speed !== undefined && { speed }),
  }
  return { kind: 'json', value }
}

/** The upstream knows the task by its own id. */
function originIn(fields: JsonObject, submit: string, ref: string): JsonObject {
  if (submit !== 'simple-change') return { taskId: ref }
  const [, change = ''] = (textAt(fields, 'content') ?? '').trim().split(/\s+/)
  return { content: `${ref} ${change}` }
}

export function pathOf({ submit, speed }: JsonObject): string {
  const prefix = isSpeed(speed) ? `/mj-${speed}` : ''
  const isKnown = submitActions.some((known) => known === submit)
  if (!isKnown) throw invalidField('action', `must be one of ${submitActions.join(', ')}`)
  return submit === 'swap' ? `${prefix}/mj/insight-face/swap` : `${prefix}/mj/submit/${submit}`
}

export function withoutPlace(wire: JsonObject): JsonObject {
  const { submit: _, speed: __, ...request } = wire
  return request
}

/** By the path, the field, or the prompt; Midjourney's own default is fast. */
export function speedOf(wire: JsonObject): string {
  const { speed } = wire
  if (isSpeed(speed)) return speed
  const named = (textAt(wire, 'mode') ?? '').toLowerCase()
  if (isSpeed(named)) return named
  const [, flag] = /(?:^|\s)--(fast|relax|turbo)(?=\s|$)/i.exec(textAt(wire, 'prompt') ?? '') ?? []
  return flag?.toLowerCase() ?? 'fast'
}

function isSpeed(word: unknown): word is string {
  return word === 'fast' || word === 'relax' || word === 'turbo'
}
