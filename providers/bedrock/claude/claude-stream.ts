/**
 * A stream of Claude's events as the messages format knows them: the service wraps each in base64 and in a frame of its
 * own. Exceptions become error events with the word that shows whose fault they are.
 */

import type { Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { sseEvent } from '../../../kernel/toolkit/format/index.js'
import { parsedObject, replyObject } from '../../../kernel/toolkit/json/index.js'
import { errorFields, exceptionName } from '../fail.js'
import { type EventFrame, EventFrames } from '../frames.js'

export function unframeClaude(): Transform<Buffer, Buffer> {
  return new ClaudeStream()
}

class ClaudeStream implements Transform<Buffer, Buffer> {
  private readonly frames = new EventFrames()
  private over = false

  push(chunk: Buffer): Buffer[] {
    if (this.over) return []
    const out = this.frames.push(chunk).flatMap((frame) => this.written(frame))
    if (this.frames.broken && !this.over) {
      out.push(this.failed('api_error', 'its event stream is damaged.'))
    }
    return out
  }

  /** A frame that is not complete means nothing; that the stream broke shows by the missing end. */
  flush(): Buffer[] {
    return []
  }

  private written({ kind, name, payload }: EventFrame): Buffer[] {
    if (this.over) return []
    if (kind !== 'event') return [this.refused(name, replyObject(payload) ?? {})]
    if (name !== 'chunk') return []
    const bytes = replyObject(payload)?.bytes
    if (typeof bytes !== 'string') return [this.failed('api_error', 'an event of it is empty.')]
    return this.event(Buffer.from(bytes, 'base64').toString('utf8'))
  }

  private event(json: string): Buffer[] {
    const type = typeAtStart.exec(json)?.[1] ?? parsedObject(json)?.type
    if (typeof type !== 'string') return [this.failed('api_error', 'an event of it has no type.')]
    const line = inOneLine(json)
    if (line === undefined) return [this.failed('api_error', 'an event of it cannot be read.')]
    return [Buffer.from(`event: ${type}\ndata: ${line}\n\n`)]
  }

  private refused(reported: string, body: JsonObject): Buffer {
    const name = exceptionName(reported)
    const { message = '', blame } = errorFields(name, body)
    const type = blame === 'channel' ? 'permission_error' : (words[name] ?? 'api_error')
    return this.failed(type, message)
  }

  private failed(type: string, message: string): Buffer {
    this.over = true
    return sseEvent('error', { type: 'error', error: { type, message } })
  }
}

/** The messages format's word for each exception of a stream. */
const words: Readonly<Record<string, string>> = {
  ValidationException: 'invalid_request_error',
  ThrottlingException: 'rate_limit_error',
  ModelTimeoutException: 'timeout_error',
  ServiceUnavailableException: 'overloaded_error',
  InternalServerException: 'api_error',
  ModelStreamErrorException: 'api_error',
}

const typeAtStart = /^\{"type":"([a-z_]{1,64})"/

/** A line break would end the data; the service writes none. Undefined: it has some, and is no JSON that can be read. */
function inOneLine(json: string): string | undefined {
  if (!json.includes('\n') && !json.includes('\r')) return json
  const event = parsedObject(json)
  return event && JSON.stringify(event)
}
