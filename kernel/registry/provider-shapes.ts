/** Whether what a provider or a task type returned is what its contract states, and no more than the gateway takes. */
import type { Event } from '../contract/event.js'
import { isObject, type JsonObject } from '../contract/json.js'
import { isErrorCode } from '../toolkit/errors/refusal.js'
import { limits } from '../toolkit/limits/limits.js'
import { bounds } from './bounds.js'

export function isBoolean(result: unknown): boolean {
  return typeof result === 'boolean'
}

export function isPlain(result: unknown): result is JsonObject {
  return isObject(result) && typeof result.then !== 'function'
}

export function isSentence(result: unknown): boolean {
  return result === undefined || isText(result, bounds.sentenceMax)
}

export function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}

function isTextOrNone(value: unknown, most: number): boolean {
  return value === undefined || isText(value, most)
}

export function areNames(result: unknown): boolean {
  return areTexts(result, bounds.namesMax, bounds.nameMax)
}

function areTexts(list: unknown, itemsMax: number, most: number): boolean {
  return Array.isArray(list) && list.length <= itemsMax && list.every((one) => isText(one, most))
}

export function areUnsupportedFields(result: unknown): boolean {
  return isObject(result) && areNames(result.refuse) && areNames(result.report)
}

const bodies: ReadonlySet<unknown> = new Set(['json', 'form', 'none'])

export function isBody(result: unknown): boolean {
  if (!isPlain(result) || !bodies.has(result.kind)) return false
  if (result.kind === 'json') return isObject(result.value)
  return result.kind === 'none' || (isObject(result.fields) && Array.isArray(result.files))
}

export function isPrepared(result: unknown): boolean {
  return isBody(result) || (isPlain(result) && isFailure(result.failure))
}

export function areBodies(result: unknown): boolean {
  if (!Array.isArray(result) || result.length === 0) return false
  return result.length <= bounds.partsMax && result.every(isBody)
}

const methods: ReadonlySet<unknown> = new Set(['GET', 'POST', 'PUT', 'DELETE'])

/** A call to be made: of the size of a whole answer at most, since what it carries may be one. */
export function isAddressed(result: unknown): boolean {
  if (!isObject(result) || !methods.has(result.method)) return false
  const body: unknown = result.body
  const isSendable =
    body === undefined ||
    ((typeof body === 'string' || Buffer.isBuffer(body)) && body.length <= limits.replyBytesMax)
  return isSendable && isText(result.url, bounds.urlMax) && areHeaders(result.headers)
}

export function isSocketRequest(result: unknown): boolean {
  if (!isObject(result) || !isText(result.url, bounds.urlMax)) return false
  return areHeaders(result.headers) && areNames(result.protocols)
}

export function areTranslatedFrames(result: unknown): boolean {
  if (!isPlain(result)) return false
  return areBuffers(result.toUpstream) && areBuffers(result.toClient) && isBoolean(result.waits)
}

export function isFrameTranslator(result: unknown): boolean {
  if (!isObject(result)) return false
  const translator: Readonly<Record<string, unknown>> = result
  return ['opened', 'fromClient', 'fromUpstream'].every(
    (name) => typeof translator[name] === 'function',
  )
}

function areHeaders(headers: unknown): boolean {
  if (!isObject(headers)) return false
  let count = 0
  let characters = 0
  for (const name in headers) {
    const value = headers[name]
    if (typeof value !== 'string') return false
    count += 1
    characters += name.length + value.length
  }
  return count <= bounds.headersMax && characters <= bounds.headerCharactersMax
}

const blames: ReadonlySet<unknown> = new Set(['client', 'channel', 'upstream'])

export function isFailure(result: unknown): boolean {
  if (!isObject(result) || !isErrorCode(result.code) || !blames.has(result.blame)) return false
  const { message, type, param, upstreamMessage } = result
  return (
    Number.isInteger(result.status) &&
    isText(message, bounds.sentenceMax) &&
    [type, param, upstreamMessage].every((words) => isTextOrNone(words, bounds.sentenceMax))
  )
}

export function isFailureOrNone(result: unknown): boolean {
  return result === undefined || isFailure(result)
}

/** A whole answer as the operation's form, or the failure it amounts to. */
export function isAnswered(result: unknown): boolean {
  if (!isPlain(result)) return false
  if (result.failure !== undefined) return isFailure(result.failure)
  if (result.json !== undefined) return isObject(result.json)
  if (result.url !== undefined) {
    return isText(result.url, bounds.urlMax) && isTextOrNone(result.type, 255)
  }
  const bytes: unknown = result.bytes
  return Buffer.isBuffer(bytes) && bytes.length <= limits.replyBytesMax && isText(result.type, 255)
}

export function isCredentials(result: unknown): boolean {
  if (!isPlain(result)) return false
  if (result.failure !== undefined) return isFailure(result.failure)
  const { key, token, renewedKey, expiresAt } = result
  return (
    isText(key, bounds.headerCharactersMax) &&
    [token, renewedKey].every((text) => isTextOrNone(text, bounds.headerCharactersMax)) &&
    (expiresAt === undefined || typeof expiresAt === 'number')
  )
}

export function isModels(result: unknown): boolean {
  return isPage(result, (value) => areTexts(value, bounds.modelsMax, bounds.nameMax))
}

export function isBalance(result: unknown): boolean {
  return isPage(result, (value) => isText(value, bounds.nameMax))
}

function isPage(result: unknown, isValue: (value: unknown) => boolean): boolean {
  if (!isPlain(result)) return false
  if (result.failure !== undefined) return isFailure(result.failure)
  return isValue(result.value) && isTextOrNone(result.next, bounds.urlMax)
}

export function areQuantities(result: unknown): boolean {
  if (!isObject(result) || !isObject(result.counts) || !isObject(result.dimensions)) return false
  const counts = Object.values(result.counts)
  const dimensions = Object.values(result.dimensions)
  return (
    counts.length + dimensions.length <= bounds.headersMax &&
    counts.every((count) => typeof count === 'number' && count >= 0 && Number.isFinite(count)) &&
    dimensions.every((dimension) => isText(dimension, bounds.nameMax))
  )
}

export function isSubmission(result: unknown): boolean {
  if (!isPlain(result)) return false
  if (result.failure !== undefined) return isFailure(result.failure)
  return typeof result.ref === 'string' && result.ref !== ''
}

const taskStates: ReadonlySet<unknown> = new Set([
  'queued',
  'running',
  'succeeded',
  'failed',
  'unknown',
])

/** What else it holds is judged and bounded where it is kept. */
function isProgress(result: unknown): boolean {
  return isPlain(result) && typeof result.ref === 'string' && taskStates.has(result.state)
}

export function isProgressOrNone(result: unknown): boolean {
  return result === undefined || isProgress(result)
}

export function areProgresses(result: unknown): boolean {
  if (Array.isArray(result)) return result.length <= bounds.namesMax && result.every(isProgress)
  return isPlain(result) && isFailure(result.failure)
}

export function isTransform(result: unknown): boolean {
  return isObject(result) && typeof result.push === 'function' && typeof result.flush === 'function'
}

export function areBuffers(result: unknown): boolean {
  if (!Array.isArray(result) || result.length > bounds.eventsMax) return false
  let bytes = 0
  for (const piece of result) {
    if (!Buffer.isBuffer(piece)) return false
    bytes += piece.length
  }
  return bytes <= limits.replyBytesMax
}

/** Of all texts together no more than a whole answer may have. */
export function areEvents(
  result: unknown,
  isFit: (event: Event) => boolean = () => true,
): result is readonly Event[] {
  if (!Array.isArray(result) || result.length > bounds.eventsMax) return false
  let characters = 0
  for (const event of result) {
    if (!isObject(event) || !isEvent(event)) return false
    if (event.type === 'delta') characters += sizeOf(event)
    if (!isFit(event as unknown as Event)) return false
  }
  return characters <= limits.replyBytesMax
}

function isEvent({ type, at, failure }: JsonObject): boolean {
  switch (type) {
    case 'delta':
    case 'open':
    case 'close':
      return isObject(at) && isIndex(at.choice) && isIndex(at.part)
    case 'failure':
      return isFailure(failure)
    default:
      return otherEvents.has(type)
  }
}

const otherEvents: ReadonlySet<unknown> = new Set(['start', 'stop', 'usage', 'note', 'end'])

function isIndex(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function sizeOf({ text, json, base64 }: JsonObject): number {
  return lengthOf(text) + lengthOf(json) + lengthOf(base64)
}

/** What is no text is as long as anything. */
function lengthOf(text: unknown): number {
  if (text === undefined) return 0
  return typeof text === 'string' ? text.length : Number.POSITIVE_INFINITY
}
