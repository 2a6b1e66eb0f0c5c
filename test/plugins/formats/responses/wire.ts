/** Short ways to write and read responses streams in tests. */
import type { Event } from '../../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/responses/index.js'

export const format = create()

export function decode(bytes: Buffer | string): Event[] {
  const decoder = format.decodeStream()
  return [...decoder.push(Buffer.from(bytes)), ...decoder.flush()]
}

export function frame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

export function wire(...events: readonly JsonObject[]): Buffer {
  return Buffer.concat(events.map(frame))
}

export function encodeBytes(events: readonly Event[]): Buffer {
  const encoder = format.encodeStream({ model: 'asked', wantsUsage: false })
  return Buffer.concat([...events.flatMap((event) => encoder.push(event)), ...encoder.flush()])
}

/** The objects of a stream, each checked to be named and numbered as it has to be. */
export function parsed(bytes: Buffer): JsonObject[] {
  const frames = bytes
    .toString('utf8')
    .split('\n\n')
    .filter((text) => text !== '')
  return frames.map((text, index) => {
    const [event, data] = text.split('\n')
    const value: unknown = JSON.parse(data!.slice('data: '.length))
    if (!isObject(value) || event !== `event: ${value.type}` || value.sequence_number !== index) {
      throw new Error(`misnamed or misnumbered frame: ${text}`)
    }
    return value
  })
}

/** The objects of the stream that states these events. */
export function encode(events: readonly Event[]): JsonObject[] {
  return parsed(encodeBytes(events))
}

/** The response an event of a stream tells. */
export function responseOf(event: JsonObject | undefined): JsonObject {
  return isObject(event?.response) ? event.response : {}
}

/** The items a finished response holds. */
export function outputOf(frames: readonly JsonObject[]): JsonObject[] {
  const { output } = responseOf(frames.at(-1))
  return Array.isArray(output) ? output.filter(isObject) : []
}

export function typesOf(events: readonly JsonObject[]): unknown[] {
  return events.map(({ type }) => type)
}

/** What other formats see of events. */
export function shared(events: readonly Event[]): Event[] {
  return events.filter(({ type }) => type !== 'note')
}

export const at = (part: number) => ({ choice: 0, part })
