/**
 * What a clip is made of, as parts with a role: a prompt, frames it begins and ends with, or pictures, clips and sounds to take
 * things from.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectsOf } from '../../../kernel/toolkit/json/index.js'
import { invalidField } from '../../../kernel/toolkit/operation/index.js'
import type { VideoRequest } from '../../../kernel/toolkit/task/index.js'
import { factsOf } from './model.js'

export function contentOf(request: VideoRequest, model: string): readonly JsonObject[] {
  const own = [...pictures(request, model), ...clips(request), ...sounds(request)]
  const named = objectsOf(request.metadata.content)
  const isWritten = named.some(({ type }) => type === 'text')
  const text = request.prompt === '' || isWritten ? [] : [{ type: 'text', text: request.prompt }]
  return [...text, ...own, ...named]
}

function pictures(request: VideoRequest, model: string): readonly JsonObject[] {
  const { images, lastImage, video, audioSource } = request
  const { references } = factsOf(model)
  if (lastImage !== undefined) {
    if (images.length > 1) throw invalidField('images', 'must be at most 1 beside image_tail')
    return [...images.map((url) => picture(url, 'first_frame')), picture(lastImage, 'last_frame')]
  }
  if (references === 0) {
    if (images.length > 2) throw invalidField('images', `must be at most 2 for the model ${model}`)
    return images.map((url, at) => picture(url, at === 0 ? 'first_frame' : 'last_frame'))
  }
  if (references !== undefined && images.length > references) {
    throw invalidField('images', `must be at most ${references} for the model ${model}`)
  }
  const isFrame = images.length === 1 && video === undefined && audioSource === undefined
  return images.map((url) => picture(url, isFrame ? 'first_frame' : 'reference_image'))
}

function picture(url: string, role: string): JsonObject {
  return { type: 'image_url', image_url: { url }, role }
}

function clips({ video: url }: VideoRequest): readonly JsonObject[] {
  if (url === undefined) return []
  if (url.startsWith('data:')) throw invalidField('video', 'must be an http or https address')
  return [{ type: 'video_url', video_url: { url }, role: 'reference_video' }]
}

function sounds({ audioSource: url }: VideoRequest): readonly JsonObject[] {
  if (url === undefined) return []
  return [{ type: 'audio_url', audio_url: { url }, role: 'reference_audio' }]
}

export function holds(wire: JsonObject, type: string): boolean {
  return objectsOf(wire.content).some((part) => part.type === type)
}

/** All that is written, in which older clients state parameters: `--dur 10 --rs 1080p`. */
export function writtenIn(wire: JsonObject): string {
  return objectsOf(wire.content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')
}
