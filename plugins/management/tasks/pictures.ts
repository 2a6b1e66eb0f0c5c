/** A Midjourney task in the words other gateways of this family list it with. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { OwnTask } from './records.js'

export interface PictureTask {
  readonly id: string
  readonly mj_id: string
  readonly user_id: number
  readonly code: number
  readonly action: string
  readonly prompt: string
  readonly prompt_en: string
  readonly description: string
  readonly state: string
  readonly submit_time: number
  readonly start_time: number
  readonly finish_time: number
  readonly image_url: string
  readonly video_url: string
  readonly video_urls: string
  readonly status: string
  readonly progress: string
  readonly fail_reason: string
  readonly channel_id: number
  readonly quota: number
  readonly buttons: string
  readonly properties: string
}

/** `channelId`: 0 where the caller may not know it. Times are Unix milliseconds, as the family has them here. */
export function pictureTask(task: OwnTask, channelId: number): PictureTask {
  const { request, results } = task
  const data = task.data.code === undefined ? task.data : {}
  const clips = results.flatMap(({ type, url }) => (type === 'video' && url ? [url] : []))
  const picture = results.find(({ type }) => type === 'image')
  return {
    ...{ id: task.task_id, mj_id: task.task_id, user_id: task.user_id, code: 1 },
    action: textOf(data, 'action') || task.model.replace(/^mj_/, '').toUpperCase(),
    prompt: textOf(data, 'prompt') || textOf(request, 'prompt'),
    prompt_en: textOf(data, 'promptEn'),
    description: textOf(data, 'description'),
    state: textOf(request, 'state'),
    submit_time: task.submit_time * 1000,
    start_time: task.start_time * 1000,
    finish_time: task.finish_time * 1000,
    image_url: picture?.url ?? '',
    video_url: clips[0] ?? '',
    video_urls: clips.length === 0 ? '' : JSON.stringify(clips),
    status: statusOf(task),
    ...{ progress: task.progress, fail_reason: task.fail_reason },
    ...{ channel_id: channelId, quota: task.quota },
    buttons: data.buttons === undefined ? '' : JSON.stringify(data.buttons),
    properties: isObject(data.properties) ? JSON.stringify(data.properties) : '',
  }
}

function statusOf({ status, word }: Pick<OwnTask, 'status' | 'word'>): string {
  if (status === 'QUEUED') return word === 'MODAL' ? word : 'SUBMITTED'
  return status === 'UNKNOWN' ? 'IN_PROGRESS' : status
}

function textOf(fields: JsonObject, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
