/** The event streams of the Bedrock fixtures, framed as the service frames them. */
import { readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import type { JsonObject } from '../../kernel/contract/json.js'

const folder = new URL('../fixtures/bedrock/', import.meta.url)
const codec = new EventStreamCodec(toUtf8, fromUtf8)

interface Line {
  readonly event?: string
  readonly exception?: string
  readonly payload: JsonObject
}

/** All frames of one fixture in a row. */
export function frames(name: string): Buffer {
  return Buffer.concat(linesOf(name).map(framed))
}

/** The events of one fixture, unframed. */
export function payloads(name: string): JsonObject[] {
  return linesOf(name).map(({ payload }) => payload)
}

export function body(name: string): JsonObject {
  return JSON.parse(text(`${name}.json`))
}

export function frame(
  headers: Readonly<Record<string, string>>,
  payload: JsonObject | string,
): Buffer {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const typed = Object.entries(headers).map(([key, value]) => [key, { type: 'string', value }])
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body: fromUtf8(text) }))
}

export function chunkFrame(payload: JsonObject | string): Buffer {
  const json = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const bytes = Buffer.from(json).toString('base64')
  return frame({ ':event-type': 'chunk', ...eventHeaders }, { bytes, p: 'abcdefgh' })
}

export function exceptionFrame(name: string, payload: JsonObject): Buffer {
  return frame({ ':exception-type': name, ':message-type': 'exception' }, payload)
}

const eventHeaders = { ':content-type': 'application/json', ':message-type': 'event' }

function framed({ event, exception, payload }: Line): Buffer {
  if (exception !== undefined) return exceptionFrame(exception, payload)
  if (event === 'chunk') return chunkFrame(payload)
  return frame({ ':event-type': event ?? '', ...eventHeaders }, payload)
}

function linesOf(name: string): Line[] {
  return text(`${name}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function text(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}
