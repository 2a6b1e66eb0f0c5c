/**
 * One session. The service takes its setup first and nothing more until that is confirmed, so the setup is made of the client's
 * first event, and what comes then waits.
 */
import type { FrameTranslator, TranslatedFrames } from '../../../kernel/contract/frames.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, replyObject } from '../../../kernel/toolkit/json/index.js'
import { Answers } from './answer.js'
import { Heard } from './heard.js'
import { Input } from './input.js'
import { invalid } from './items.js'
import { text as textOf } from './reading.js'
import { type LiveSession, sessionOf } from './session.js'
import { Wires } from './wires.js'

export class LiveTranslator implements FrameTranslator {
  private readonly wires: Wires
  private readonly id: string
  private readonly functions = new Map<string, string>()
  private readonly answers: Answers
  private session: LiveSession
  private heard: Heard
  private input: Input
  private state: 'new' | 'settingUp' | 'ready' = 'new'
  private waiting: JsonObject[] = []

  /** @param name a word of its own for this session */
  constructor(
    private readonly model: string,
    name: string,
  ) {
    this.wires = new Wires(name)
    this.id = this.wires.id('sess')
    this.answers = new Answers(this.wires, this.functions)
    this.session = sessionOf({}, model)
    this.heard = new Heard(this.wires, this.session.rate)
    this.input = this.inputOf(this.session)
  }

  opened(): TranslatedFrames {
    this.showSession('session.created')
    return this.taken()
  }

  fromClient(frame: Buffer): TranslatedFrames {
    const event = replyObject(frame)
    if (event === undefined) this.wires.emitError(invalid('event', 'must be a JSON object.'))
    else this.take(event)
    return this.taken()
  }

  fromUpstream(frame: Buffer): TranslatedFrames {
    const message = replyObject(frame)
    if (message === undefined) this.wires.emitError(new Refusal('upstream_error', garbled))
    else this.read(message)
    return this.taken()
  }

  private taken(): TranslatedFrames {
    return this.wires.taken(this.state === 'settingUp')
  }

  private take(event: JsonObject): void {
    try {
      if (this.state === 'settingUp') this.waiting.push(event)
      else if (event.type === 'session.update') this.update(objectOf(event.session) ?? {})
      else if (this.state === 'ready') this.input.take(event)
      else this.setUp(event)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.wires.emitError(error, event.event_id)
    }
  }

  private update(requested: JsonObject): void {
    const session = sessionOf(requested, this.model)
    if (this.state === 'new') {
      this.session = session
      this.heard = new Heard(this.wires, session.rate)
      this.input = this.inputOf(session)
      this.setUp({ type: 'session.update' })
    } else if (JSON.stringify(session.setup) === JSON.stringify(this.session.setup)) {
      this.showSession('session.updated')
    } else throw notExpressible('session (it is set by the first event alone)')
  }

  private setUp(first: JsonObject): void {
    this.wires.send({ setup: this.session.setup })
    this.state = 'settingUp'
    this.waiting.push(first)
  }

  private read(message: JsonObject): void {
    const { usageMetadata, serverContent, toolCall, toolCallCancellation } = message
    if (isObject(usageMetadata)) this.answers.count(usageMetadata)
    if (message.setupComplete !== undefined) this.ready()
    if (isObject(serverContent)) this.hear(serverContent)
    if (isObject(toolCall)) this.answers.call(objectsOf(toolCall.functionCalls))
    if (isObject(toolCallCancellation) && Array.isArray(toolCallCancellation.ids))
      for (const id of toolCallCancellation.ids) this.functions.delete(textOf(id))
    if (isObject(message.error)) this.wires.emitError(new Refusal('upstream_error', garbled))
  }

  private ready(): void {
    if (this.state !== 'settingUp') return
    this.state = 'ready'
    const { waiting } = this
    this.waiting = []
    for (const event of waiting) {
      if (event.type === 'session.update') this.showSession('session.updated')
      else this.take(event)
    }
  }

  private hear(content: JsonObject): void {
    const { answers, heard } = this
    const { inputTranscription, outputTranscription, modelTurn } = content
    const said = textOf(objectOf(inputTranscription)?.text)
    if (said !== '') heard.say(said)
    if (content.interrupted === true) this.interrupted()
    for (const { inlineData } of objectsOf(objectOf(modelTurn)?.parts)) {
      const { mimeType, data } = objectOf(inlineData) ?? {}
      const base64 = textOf(mimeType).startsWith('audio/') ? textOf(data) : ''
      if (base64 !== '') answers.sound(base64)
    }
    answers.say(textOf(objectOf(outputTranscription)?.text))
    if (content.turnComplete !== true) return
    heard.finish()
    answers.finish()
  }

  /** Also what the client cancels is reported so; then nobody has begun to speak. */
  private interrupted(): void {
    if (this.answers.interrupt('turn_detected')) this.heard.interrupts()
  }

  private showSession(type: string): void {
    this.wires.emit(type, { session: { id: this.id, ...this.session.effective } })
  }

  private inputOf(session: LiveSession): Input {
    const { model, wires, answers, heard, functions } = this
    return new Input({ model, session, wires, answers, heard, functions })
  }
}

const garbled = { reason: 'what it sent could not be read.' }
