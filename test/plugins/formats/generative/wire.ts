/** Short ways to write and read generative requests and streams in tests. */
import type { Event } from '../../../../kernel/contract/event.js'
import type { RequestHints } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/generative/index.js'

export const format = create()

export const hints: RequestHints = { model: 'gemini-3-flash', stream: true }
export const asArray: RequestHints = { ...hints, framing: 'array' }

export function decode(bytes: Buffer | string): Event[] {
  const decoder = format.decodeStream()
  return [...decoder.push(Buffer.from(bytes)), ...decoder.flush()]
}

/** A chunk of the first candidate. */
export function chunk(parts: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }] }
}

export function wire(...chunks: JsonObject[]): string {
  return chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
}

export function bytesOf(events: readonly Event[], reader: RequestHints = hints): Buffer {
  const encoder = format.encodeStream({ model: 'asked', wantsUsage: true, hints: reader })
  return Buffer.concat([...events.flatMap((event) => encoder.push(event)), ...encoder.flush()])
}

/** The chunks of the stream that states these events. */
export function encode(events: readonly Event[]): JsonObject[] {
  const frames = bytesOf(events).toString('utf8').split('\n\n')
  return frames
    .filter((frame) => frame !== '')
    .map((frame) => {
      if (!frame.startsWith('data: ')) throw new Error(`not an event: ${frame}`)
      return JSON.parse(frame.slice('data: '.length))
    })
}

/** The parts of the first candidate of a chunk. */
export function partsOf({ candidates }: JsonObject): JsonObject[] {
  const [candidate] = candidates as { content?: { parts?: JsonObject[] } }[]
  return candidate?.content?.parts ?? []
}

export const at = (part: number) => ({ choice: 0, part })
