/**
 * The Live API's end of a session, strict as the service: its setup comes first and once, nothing follows before it is confirmed, and
 * each message is one of four. Its own messages are binary frames.
 */
import type { Test } from 'tap'
import type { UpstreamSession } from '../socket-upstream.js'

interface LiveRule {
  readonly rule: string
  readonly source: string
  readonly read: string
}

const reference = 'ai.google.dev/api/live, by its copies'
const read = '2026-11-27'

const liveRules = {
  one: { rule: 'A message has exactly one member of four.', source: reference, read },
  first: { rule: 'The first message is the setup, and no other is.', source: reference, read },
  waits: { rule: 'Nothing follows the setup before setupComplete.', source: reference, read },
  history: {
    rule: 'clientContent is history alone.',
    source: 'github.com/livekit/agents/pull/5251',
    read,
  },
  spoken: {
    rule: 'The one modality of answers is AUDIO.',
    source: 'github.com/pydantic/pydantic-ai/pull/8393',
    read,
  },
} as const satisfies Readonly<Record<string, LiveRule>>

type Message = Readonly<Record<string, unknown>>
const members = ['setup', 'clientContent', 'realtimeInput', 'toolResponse'] as const
type Member = (typeof members)[number]

export interface LiveSide {
  readonly url: string
  readonly headers: UpstreamSession['headers']
  readonly closed: Promise<number>
  /** The next message of this member that was not waited for yet. */
  next(member: Member): Promise<Message>
  /** Confirms the setup, and returns it. */
  setUp(): Promise<Message>
  say(serverContent: Message, usageMetadata?: Message): void
  /** So many bytes of samples. */
  speak(bytes: number): void
  call(functionCalls: readonly Message[], usageMetadata?: Message): void
  close(code: number): void
}

export function sound(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64')
}

export function liveSide(t: Test, { socket, url, headers, closed }: UpstreamSession): LiveSide {
  const unseen: Message[] = []
  const waiting: (() => void)[] = []
  let isConfirmed = false
  let setup: Message | undefined
  const brokenRule = (message: Message): LiveRule | undefined => {
    const [member = '', ...others] = Object.keys(message)
    if (others.length > 0 || !members.includes(member as Member)) return liveRules.one
    if ((member === 'setup') === (setup !== undefined)) return liveRules.first
    if (setup !== undefined && !isConfirmed) return liveRules.waits
    if (member === 'setup') return brokenBySetup(message.setup as Message)
    const isRestricted = String(setup?.model).startsWith('models/gemini-3.1-')
    return member === 'clientContent' && isRestricted ? liveRules.history : undefined
  }
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message
    const broken = brokenRule(message)
    if (broken !== undefined) {
      t.fail(`${broken.rule} ${String(data)}`)
      socket.close(1007, broken.rule)
      return
    }
    setup ??= message.setup as Message | undefined
    unseen.push(message)
    for (const wake of waiting.splice(0)) wake()
  })
  const send = (message: Message) => socket.send(Buffer.from(JSON.stringify(message)))
  const say = (serverContent: Message, usageMetadata?: Message) =>
    send({ serverContent, ...(usageMetadata !== undefined && { usageMetadata }) })
  const next = async (member: Member): Promise<Message> => {
    for (;;) {
      const at = unseen.findIndex((message) => member in message)
      if (at >= 0) return unseen.splice(at, 1)[0]![member] as Message
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    ...{ url, headers, closed, next, say },
    async setUp() {
      const asked = await next('setup')
      isConfirmed = true
      send({ setupComplete: {} })
      return asked
    },
    speak: (bytes) => {
      const inlineData = { mimeType: 'audio/pcm;rate=24000', data: sound(bytes) }
      say({ modelTurn: { parts: [{ inlineData }] } })
    },
    call: (functionCalls, usageMetadata) =>
      send({ toolCall: { functionCalls }, ...(usageMetadata !== undefined && { usageMetadata }) }),
    close: (code) => socket.close(code),
  }
}

function brokenBySetup({ generationConfig }: Message): LiveRule | undefined {
  const { responseModalities } = (generationConfig ?? {}) as Message
  return JSON.stringify(responseModalities) === '["AUDIO"]' ? undefined : liveRules.spoken
}

interface Kinds {
  readonly text?: number
  readonly audio?: number
}

export function liveUsage(prompt: Kinds, response: Kinds): Message {
  const detailsOf = ({ text = 0, audio = 0 }: Kinds) => [
    { modality: 'TEXT', tokenCount: text },
    { modality: 'AUDIO', tokenCount: audio },
  ]
  const totalOf = ({ text = 0, audio = 0 }: Kinds) => text + audio
  return {
    promptTokenCount: totalOf(prompt),
    responseTokenCount: totalOf(response),
    totalTokenCount: totalOf(prompt) + totalOf(response),
    promptTokensDetails: detailsOf(prompt),
    responseTokensDetails: detailsOf(response),
  }
}
