/**
 * One realtime session as far as money and safety need it: what each frame means, and what of it may go on. What it
 * comes to is the tally's business.
 */

import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type {
  FrameVerdict,
  SessionOptions,
  SocketSession,
} from '../../../kernel/contract/operation.js'
import { clientError } from '../../../kernel/toolkit/errors/index.js'
import {
  atOnce,
  inTurns,
  jsonReading,
  replyObject,
  type Turns,
} from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { isPlainAudio, withPlannedModel } from './client-frame.js'
import { errorEvent, failureOf, safeError } from './errors.js'
import { fieldOf, rangeOf } from './frame.js'
import { Fresh } from './fresh.js'
import { Tally } from './tally.js'

const pass: FrameVerdict = { kind: 'pass' }
const begin: FrameVerdict = { kind: 'begin' }
const stop: FrameVerdict = { kind: 'stop' }

export class RealtimeSession implements SocketSession {
  private readonly tally = new Tally()
  private errors = 0

  constructor(private readonly options: SessionOptions) {}

  get busy(): boolean {
    return this.tally.busy
  }
  get estimatedTokens(): number {
    return this.tally.estimatedTokens
  }
  get confirmed(): Usage {
    return this.tally.confirmed
  }
  get usage(): Usage {
    return this.tally.usage
  }
  get estimated(): readonly string[] {
    return this.tally.estimated
  }
  get anomaly(): boolean {
    return this.tally.anomaly
  }
  ahead(): Usage {
    return this.tally.ahead()
  }

  refusal(frame: Buffer): Failure | undefined {
    if (fieldOf(frame, 'type') !== 'error') return undefined
    return failureOf(replyObject(frame)?.error)
  }

  fromClient(frame: Buffer): FrameVerdict | Promise<FrameVerdict> {
    if (isPlainAudio(frame)) {
      this.tally.fresh.audio(frame.length)
      return pass
    }
    const reading = this.readClient(frame)
    return frame.length > limits.jsonAtOnceBytesMax ? inTurns(reading) : atOnce(reading)
  }

  private *readClient(frame: Buffer): Turns<FrameVerdict> {
    let about: Json | undefined
    try {
      const event = yield* jsonReading(frame)
      about = event.event_id
      const planned = withPlannedModel(event, this.options)
      const given = new Fresh()
      yield* given.note(event)
      this.tally.fresh.add(given)
      const asks = event.type === 'response.create'
      if (planned === event) return asks ? begin : pass
      return { kind: asks ? 'begin' : 'pass', frame: encoded(planned) }
    } catch (error) {
      return { kind: 'stop', answer: this.errorFrame(clientError(error), about) }
    }
  }

  fromUpstream(frame: Buffer): FrameVerdict {
    const type = fieldOf(frame, 'type')
    if (type.endsWith('.delta')) return this.delta(type, frame)
    switch (type) {
      case 'response.created':
        return this.tally.begin(idOf(replyObject(frame)?.response)) ? begin : pass
      case 'response.done':
        return this.done(frame)
      case 'session.created':
      case 'session.updated':
        return this.configured(replyObject(frame)?.session)
      case 'conversation.item.input_audio_transcription.completed':
        this.tally.transcription(replyObject(frame)?.usage)
        return pass
      case 'conversation.item.input_audio_transcription.failed':
      case 'error':
        return failed(frame)
      // It reveals the operator's account, like the headers of that name.
      case 'rate_limits.updated':
        return stop
      default:
        return pass
    }
  }

  cancel(): readonly Buffer[] {
    return this.tally.open.map((id) =>
      encoded({ type: 'response.cancel', ...(id !== '' && { response_id: id }) }),
    )
  }

  encodeError(error: ClientError): Buffer {
    return this.errorFrame(error)
  }

  private errorFrame(error: ClientError, about?: Json): Buffer {
    this.errors += 1
    return encoded(errorEvent(error, `event_gateway_${this.errors}`, about))
  }

  private delta(type: string, frame: Buffer): FrameVerdict {
    const kind = deltas[type]
    const range = kind === undefined ? undefined : rangeOf(frame, 'delta')
    if (range === undefined) return pass
    const { tally } = this
    const id = fieldOf(frame, 'response_id') || tally.newest()
    const begins = tally.begin(id)
    const answer = tally.answer(id)
    if (kind === 'audio') answer?.addAudio(range)
    else answer?.addText(frame, range)
    return begins ? begin : pass
  }

  private done(frame: Buffer): FrameVerdict {
    const event = replyObject(frame)
    const response = event?.response
    if (event === undefined || !isObject(response)) return pass
    if (!this.tally.end(idOf(response), response.usage)) return stop
    const details = response.status_details
    if (!isObject(details) || !isObject(details.error)) return pass
    const status_details = { ...details, error: safeError(details.error) }
    return { kind: 'pass', frame: encoded({ ...event, response: { ...response, status_details } }) }
  }

  private configured(session: Json | undefined): FrameVerdict {
    if (isObject(session)) this.tally.configure(session)
    return pass
  }
}

/** Both generations of names. */
const deltas: Readonly<Record<string, 'audio' | 'text'>> = {
  'response.output_audio.delta': 'audio',
  'response.audio.delta': 'audio',
  'response.output_audio_transcript.delta': 'text',
  'response.audio_transcript.delta': 'text',
  'response.output_text.delta': 'text',
  'response.text.delta': 'text',
  'response.function_call_arguments.delta': 'text',
  'response.mcp_call_arguments.delta': 'text',
}

function failed(frame: Buffer): FrameVerdict {
  const event = replyObject(frame)
  if (event === undefined) return stop
  return { kind: 'pass', frame: encoded({ ...event, error: safeError(event.error) }) }
}

function idOf(response: Json | undefined): string {
  return isObject(response) && typeof response.id === 'string' ? response.id : ''
}

function encoded(event: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(event))
}
