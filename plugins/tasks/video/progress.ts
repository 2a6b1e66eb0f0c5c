/** Tasks as the upstream reports them, at the paths of the channel's protocol. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { Progress, Submission, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { failureOfError, garbled, nestedError } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  numberAt,
  refAt,
  stateReader,
  textAt,
  timeOf,
} from '../../../kernel/toolkit/task/index.js'
import { isOwn } from './calls.js'
import {
  firstText,
  keptProtocol,
  type Protocol,
  protocolOf,
  valuesAt,
  wordsOf,
} from './protocol.js'

export function submitted(
  answer: WholeAnswer,
  wire: Body,
): Submission | { readonly failure: Failure } {
  const raw = answerObject(answer)
  const ref = refAt({ id: firstText(keptProtocol(wire), 'id_path', raw) ?? null }, 'id')
  return ref === undefined ? { failure: failureIn(raw) } : { ref }
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
  channel: ChannelView,
): readonly Progress[] | { readonly failure: Failure } {
  const raw = answerObject(answer)
  const protocol = protocolOf(channel.settings)
  const word = firstText(protocol, 'state_path', raw)
  if (word === undefined) return { failure: failureIn(raw) }
  const named = valuesAt(protocol, 'id_path', raw).map((value) => textAt({ value }, 'value'))
  const task =
    refs.find(({ ref }) => named.includes(ref)) ?? (named.length === 0 ? refs[0] : undefined)
  return task === undefined ? [] : [progressOf(raw, word, task.ref, channel)]
}

/** An answer without a task: an error in its place, or nothing that can be read. */
function failureIn(raw: JsonObject): Failure {
  const fields = nestedError(raw)
  return fields?.message === undefined
    ? garbled()
    : failureOfError({ ...fields, blame: 'upstream' }, 200)
}

function progressOf(raw: JsonObject, word: string, ref: string, channel: ChannelView): Progress {
  const protocol = protocolOf(channel.settings)
  const state = stateIn(protocol, word)
  const results = state === 'succeeded' ? clipsOf(protocol, raw, channel) : []
  return present({
    ref,
    state,
    word,
    percent: percentOf(firstText(protocol, 'progress_path', raw)),
    results: results.length > 0 ? results : undefined,
    reason: state === 'failed' ? (firstText(protocol, 'error_path', raw) ?? word) : undefined,
    made: madeOf(protocol, raw),
    createdAt: timeAt(protocol, 'created_at_path', raw),
    updatedAt: timeAt(protocol, 'updated_at_path', raw),
    raw,
  })
}

function stateIn(protocol: Protocol, word: string) {
  return stateReader({
    queued: wordsOf(protocol, 'queued_words'),
    running: wordsOf(protocol, 'running_words'),
    succeeded: wordsOf(protocol, 'succeeded_words'),
    failed: wordsOf(protocol, 'failed_words'),
  })(word)
}

/** Of the first path that holds an address: one or a list, of texts or of objects with a `url`. */
function clipsOf(protocol: Protocol, raw: JsonObject, channel: ChannelView): readonly TaskResult[] {
  const found = valuesAt(protocol, 'url_path', raw)
    .map(addressesIn)
    .find((urls) => urls.length > 0)
  return (found ?? []).map((url) => ({
    type: 'video',
    url,
    ...(isOwn(url, channel) && { keyed: true }),
  }))
}

function addressesIn(value: Json): readonly string[] {
  const list = Array.isArray(value) ? value : [value]
  return list
    .map((one) => (isObject(one) ? one.url : one))
    .filter((one): one is string => typeof one === 'string' && isAddress(one))
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** `50`, `50%` or `"50"`. */
function percentOf(text: string | undefined): number | undefined {
  const percent = numberAt({ text: text?.replace(/%\s*$/, '') }, 'text')
  return percent === undefined ? undefined : Math.min(Math.max(percent, 0), 100)
}

/** Tokens of the output, else of all (CHAN-4), and seconds where the channel names their place. */
function madeOf(protocol: Protocol, raw: JsonObject) {
  const usage = valuesAt(protocol, 'usage_path', raw).find(isObject)
  const token = counted(usage, 'completion_tokens') ?? counted(usage, 'total_tokens')
  const second = counted({ of: firstText(protocol, 'seconds_path', raw) }, 'of')
  const counts = present({ token, second }) as Record<string, number>
  return Object.keys(counts).length === 0 ? undefined : { counts }
}

/** A count above 0: an upstream that did not count often reports 0. */
function counted(object: JsonObject | undefined, name: string): number | undefined {
  const count = numberAt(object, name)
  return count !== undefined && count > 0 ? count : undefined
}

function timeAt(protocol: Protocol, field: 'created_at_path' | 'updated_at_path', raw: JsonObject) {
  return valuesAt(protocol, field, raw)
    .map(timeOf)
    .find((time) => time !== undefined)
}
