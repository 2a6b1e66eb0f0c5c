/** Where a request is submitted and its task read: by its fields, so that what an override changes goes where it belongs. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { listAt, textAt } from '../../../kernel/toolkit/task/index.js'
import { isOmni } from './model.js'

const kinds = [
  'text2video',
  'image2video',
  'multi-image2video',
  'omni-video',
  'video-extend',
  'lip-sync',
] as const

export type Kind = (typeof kinds)[number]

export function kindOf(wire: JsonObject): Kind {
  if (isObject(wire.input)) return 'lip-sync'
  if (isOmni(textAt(wire, 'model_name') ?? '')) return 'omni-video'
  if (isSent(wire.video_id)) return 'video-extend'
  if (listAt(wire, 'image_list').length > 0) return 'multi-image2video'
  return isSent(wire.image) || isSent(wire.image_tail) ? 'image2video' : 'text2video'
}

export function pathOf(kind: Kind): string {
  return `/v1/videos/${kind}`
}

/** As it was kept with the task. */
export function keptPath(kept: unknown): string {
  return pathOf(kinds.find((kind) => kind === kept) ?? 'text2video')
}

function isSent(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
