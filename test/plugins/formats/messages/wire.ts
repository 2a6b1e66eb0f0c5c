/** Short ways to write and read messages streams in tests. */
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/messages/index.js'

export const format = create()

export function decode(bytes: Buffer | string): Event[] {
  const decoder = format.decodeStream()
  return [...decoder.push(Buffer.from(bytes)), ...decoder.flush()]
}

export function wire(...events: JsonObject[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** The objects of the stream that states these events. */
export function encode(events: readonly Event[]): JsonObject[] {
  const encoder = format.encodeStream({ model: 'asked', wantsUsage: false })
  const bytes = Buffer.concat([
    ...events.flatMap((event) => encoder.push(event)),
    ...encoder.flush(),
  ])
  return bytes
    .toString('utf8')
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [event, data] = frame.split('\n')
      const value = JSON.parse(data!.slice('data: '.length))
      if (event !== `event: ${value.type}`) throw new Error(`misnamed frame: ${frame}`)
      return value
    })
}

export const at = (part: number) => ({ choice: 0, part })
