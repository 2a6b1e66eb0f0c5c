/**
 * Reads what a client sends. Pieces of audio pass unread; everything else is read so that what is billed and what the
 * upstream understands are the same, above all the model: the session was planned and priced for one (X6).
 */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { SessionOptions } from '../../../kernel/contract/operation.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { fieldOf } from './frame.js'

/** Objects of an event that can name a model of their own. */
const configured = ['session', 'response'] as const
/** Without one of these in it, and without an escape, a frame configures nothing. */
const needles = ['"session', '"response'] as const
const backslash = 0x5c

/** A piece of audio and nothing else, whatever stands twice or in disguise in it. */
export function isPlainAudio(frame: Buffer): boolean {
  return (
    fieldOf(frame, 'type') === 'input_audio_buffer.append' &&
    !frame.includes(backslash) &&
    !needles.some((needle) => frame.includes(needle))
  )
}

/** The event with the upstream's name of the model; the same object where nothing changes. Throws for another model. */
export function withPlannedModel(event: JsonObject, options: SessionOptions): JsonObject {
  let planned = event
  for (const name of configured) {
    const part = event[name]
    if (!isObject(part) || part.model === undefined || part.model === options.upstreamModel)
      continue
    if (part.model !== options.model) throw otherModel(`${name}.model`)
    planned = { ...planned, [name]: { ...part, model: options.upstreamModel } }
  }
  return planned
}

function otherModel(param: string): Refusal {
  const reason = `${param} must be the model this session was opened with.`
  return new Refusal('invalid_request', { param, reason })
}
