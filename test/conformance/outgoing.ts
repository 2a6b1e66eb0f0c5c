/**
 * What stands in for the world around a plugin that calls others: the real rules for hosts, a network that answers by a
 * script, and a log whose lines are kept. Everything the plugin queried is there to look at.
 */
import type { ByteConsumer, ByteSource } from '../../kernel/contract/bytes.js'
import type { Json } from '../../kernel/contract/json.js'
import type { OutgoingKit, Settings } from '../../kernel/contract/kit.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { Egress } from '../../kernel/contract/services/egress.js'
import { createOutgoing } from '../../kernel/egress/outgoing.js'

/** One call the plugin made. */
export interface OutgoingCall {
  readonly method: string
  readonly url: URL
  /** Lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the other side answers: JSON, or a text as it is. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Json
  readonly text?: string
}

/** Undefined: the other side cannot be reached. */
export type Script = (
  call: OutgoingCall,
  index: number,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>

export interface OutgoingWorld {
  readonly kit: OutgoingKit
  readonly calls: readonly OutgoingCall[]
  readonly answers: readonly ScriptedAnswer[]
  readonly logged: readonly string[]
}

export interface OutgoingTerms {
  readonly manifest: Manifest
  readonly settings: Settings
  readonly script: Script
  /** Unix milliseconds at which the clock stands. */
  readonly now: number
}

export function outgoingWorld({ manifest, settings, script, now }: OutgoingTerms): OutgoingWorld {
  const calls: OutgoingCall[] = []
  const answers: ScriptedAnswer[] = []
  const logged: string[] = []
  const clock = { now: () => now, monotonic: () => now, after: () => () => {} }
  const note = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields, errorsToo)}`)
  }

  const egress: Egress = {
    async open({ method, url, headers, body }) {
      const call = { method, url: new URL(url), headers: lowerCase(headers), body: textOf(body) }
      calls.push(call)
      const answer = await script(call, calls.length - 1)
      if (answer === undefined) throw new Error('the other side cannot be reached')
      answers.push(answer)
      const json = answer.json === undefined ? undefined : JSON.stringify(answer.json)
      const type = json === undefined ? 'text/html' : 'application/json'
      return {
        status: answer.status ?? 200,
        headers: { 'content-type': type, ...answer.headers },
        body: bytes(Buffer.from(answer.text ?? json ?? '')),
      }
    },
    async connect() {
      throw new Error('no socket is needed here')
    },
    async dial() {
      throw new Error('no raw connection is needed here')
    },
  }

  const outgoing = createOutgoing({ manifest, settings, egress: () => egress, clock })
  const log = { debug: note, info: note, warn: note, error: note }
  return { kit: { settings, clock, log, ...outgoing }, calls, answers, logged }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function textOf(body: Buffer | string | undefined): string {
  return body === undefined ? '' : body.toString()
}

function bytes(all: Buffer): ByteSource {
  return {
    consume(consumer: ByteConsumer) {
      if (all.length > 0) consumer.data(all)
      consumer.end()
    },
    resume() {},
    abort() {},
  }
}

/** An `Error` has nothing JSON shows; what it states and what caused it belong to the line. */
function errorsToo(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { message: value.message, stack: value.stack, cause: value.cause }
}
