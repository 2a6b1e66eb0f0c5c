/**
 * One realtime session as far as money and safety need it: which answers are being written, what the upstream has
 * counted, what of it is not counted yet (BILL-9).
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type {
  FrameVerdict,
  SessionTerms,
  SocketSession,
} from '../../../kernel/contract/operation.js'
import { clientError } from '../../../kernel/errors.js'
import { Answer } from './answer.js'
import { type AudioTerms, audioTerms, firstTerms } from './audio.js'
import { isPlainAudio, readEvent, withPlannedModel } from './client-frame.js'
import { errorEvent, failureOf, safeError } from './errors.js'
import { fieldOf, rangeOf } from './frame.js'
import { Fresh } from './fresh.js'
import { stepOf } from './step.js'
import { answerUsage, plus, type Told, timesOver, transcriptionUsage } from './usage.js'

const pass: FrameVerdict = { kind: 'pass' }
const begin: FrameVerdict = { kind: 'begin' }
const stop: FrameVerdict = { kind: 'stop' }

/** Ids of answers that are counted, so that one told twice is not paid twice. */
const countedMax = 1_000

export class RealtimeSession implements SocketSession {
  confirmed: Usage = {}
  anomaly = false
  private readonly answers = new Map<string, Answer>()
  private readonly counted = new Set<string>()
  private readonly guessed = new Set<string>()
  private countedUnits = 0
  private fresh = new Fresh()
  private audio: AudioTerms = firstTerms
  private maxOutput: number | undefined
  /** Usage of the answer counted last: the next one has it for its prompt. */
  private last: Usage | undefined
  private errors = 0

  constructor(private readonly terms: SessionTerms) {}

  get busy(): boolean {
    return this.answers.size > 0
  }

  get units(): number {
    let units = this.countedUnits
    for (const answer of this.answers.values()) units += answer.units
    return units
  }

  get usage(): Usage {
    const open = this.delivering()
    if (open.length === 0) return this.confirmed
    const prompt = plus(this.confirmed, this.fresh.counts(this.audio.input))
    return open.reduce((sum, { counts }) => plus(plus(sum, counts), once), prompt)
  }

  get estimated(): readonly string[] {
    const open = this.delivering().length > 0
    return open ? [...new Set([...this.guessed, 'input', 'output'])] : [...this.guessed]
  }

  ahead(): Usage {
    const { audio, maxOutput, last } = this
    const step = stepOf({ spoken: audio.spoken, maxOutput, last })
    const prompt = plus(this.usage, this.fresh.counts(audio.input))
    return plus(prompt, timesOver(step, Math.max(1, this.answers.size)))
  }

  refusal(frame: Buffer): Failure | undefined {
    if (fieldOf(frame, 'type') !== 'error') return undefined
    return failureOf(parsed(frame)?.error)
  }

  fromClient(frame: Buffer): FrameVerdict {
    if (isPlainAudio(frame)) {
      this.fresh.audio(frame.length)
      return pass
    }
    let about: Json | undefined
    try {
      const event = readEvent(frame)
      about = event.event_id
      const planned = withPlannedModel(event, this.terms)
      this.fresh.note(event)
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
        return this.began(idOf(parsed(frame)?.response))
      case 'response.done':
        return this.done(frame)
      case 'session.created':
      case 'session.updated':
        return this.configured(parsed(frame)?.session)
      case 'conversation.item.input_audio_transcription.completed':
        return this.transcribed(parsed(frame)?.usage)
      case 'conversation.item.input_audio_transcription.failed':
      case 'error':
        return this.failed(frame)
      // It tells of the operator's account, like the headers of that name.
      case 'rate_limits.updated':
        return stop
      default:
        return pass
    }
  }

  cancel(): readonly Buffer[] {
    return [...this.answers.keys()].map((id) =>
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

  private delivering(): readonly Answer[] {
    return [...this.answers.values()].filter(({ units }) => units > 0)
  }

  private began(id: string): FrameVerdict {
    if (this.counted.has(id) || this.answers.has(id)) return pass
    this.answers.set(id, new Answer(this.audio.output))
    return begin
  }

  /** An upstream that does not say which answer it writes, writes the one it began last. */
  private newest(): string {
    return [...this.answers.keys()].at(-1) ?? ''
  }

  private delta(type: string, frame: Buffer): FrameVerdict {
    const kind = deltas[type]
    const range = kind === undefined ? undefined : rangeOf(frame, 'delta')
    if (range === undefined) return pass
    const id = fieldOf(frame, 'response_id') || this.newest()
    const verdict = this.began(id)
    const answer = this.answers.get(id)
    if (kind === 'audio') answer?.addAudio(range)
    else answer?.addText(frame, range)
    return verdict
  }

  private done(frame: Buffer): FrameVerdict {
    const event = parsed(frame)
    const response = event?.response
    if (event === undefined || !isObject(response)) return pass
    const id = idOf(response)
    if (!this.counted.has(id)) this.count(id, answerUsage(response.usage))
    const details = response.status_details
    if (!isObject(details) || !isObject(details.error)) return pass
    const safe = { ...details, error: safeError(details.error) }
    return {
      kind: 'pass',
      frame: encoded({ ...event, response: { ...response, status_details: safe } }),
    }
  }

  /** Nothing told and nothing delivered is nothing (failures.md M10). */
  private count(id: string, told: Told | undefined): void {
    const key = this.answers.has(id) ? id : id === '' ? this.newest() : ''
    const answer = this.answers.get(key)
    this.answers.delete(key)
    const written = answer?.units ?? 0
    if (told === undefined && written === 0) return
    this.remember(id)
    const usage = told === undefined ? this.guess(answer!) : this.completed(told.usage, answer)
    this.confirm(plus(usage, once), Math.max(written, tokensOf(usage)))
    this.anomaly ||= told?.anomaly ?? false
    this.last = usage
    this.fresh = new Fresh()
  }

  private guess({ counts }: Answer): Usage {
    this.guessed.add('input').add('output')
    return plus(this.fresh.counts(this.audio.input), counts)
  }

  /** An output of 0 beside what was delivered counts as missing (FMT-3). */
  private completed(usage: Usage, answer: Answer | undefined): Usage {
    const reported = (usage.output ?? 0) + (usage.outputAudio ?? 0)
    if (reported > 0 || answer === undefined || answer.units === 0) return usage
    this.guessed.add('output')
    return plus(usage, answer.counts)
  }

  private transcribed(raw: Json | undefined): FrameVerdict {
    const told = transcriptionUsage(raw)
    if (told !== undefined) {
      this.confirm(told.usage, tokensOf(told.usage))
      this.anomaly ||= told.anomaly
    }
    return pass
  }

  private confirm(usage: Usage, units: number): void {
    this.confirmed = plus(this.confirmed, usage)
    this.countedUnits += units
  }

  private configured(session: Json | undefined): FrameVerdict {
    if (!isObject(session)) return pass
    this.audio = audioTerms(session, this.audio)
    const limit = session.max_output_tokens ?? session.max_response_output_tokens
    if (limit !== undefined) this.maxOutput = typeof limit === 'number' ? limit : undefined
    return pass
  }

  private failed(frame: Buffer): FrameVerdict {
    const event = parsed(frame)
    if (event === undefined) return stop
    return { kind: 'pass', frame: encoded({ ...event, error: safeError(event.error) }) }
  }

  private remember(id: string): void {
    if (id === '') return
    this.counted.add(id)
    if (this.counted.size <= countedMax) return
    for (const oldest of this.counted) {
      this.counted.delete(oldest)
      return
    }
  }
}

/** What is paid by the answer is paid for each. */
const once: Usage = { quantity: 1 }

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

function tokensOf({ quantity: _, ...counts }: Usage): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + Number(count ?? 0), 0)
}

function idOf(response: Json | undefined): string {
  return isObject(response) && typeof response.id === 'string' ? response.id : ''
}

function parsed(frame: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'))
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

function encoded(event: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(event))
}
