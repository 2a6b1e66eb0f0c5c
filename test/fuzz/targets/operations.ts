/** Operations besides chat: requests, whole answers and what passes unread. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { wires } from '../../providers/wires.js'
import { assertBillable, assertFailure, orRefused } from '../assertions.js'
import { answers, streams } from '../corpus.js'
import {
  type Bytes,
  bufferOf,
  bytesIn,
  cuts,
  mutatedBytes,
  mutatedJson,
  piecesOf,
} from '../mutations.js'
import { bodyOf } from '../subjects.js'
import type { Target } from '../target.js'

interface Input {
  readonly operation: OperationName
  readonly request: string
  readonly answer: Bytes
  readonly cuts: readonly number[]
}

/** Read by adapters alone: the answers to media tasks pass through no operation. */
const others: readonly OperationName[] = ['chat', 'realtime', 'video', 'music', 'midjourney']
const names = (Object.keys(wires) as OperationName[]).filter((name) => !others.includes(name))
export const operations = new Map<OperationName, Operation>(
  await Promise.all(
    names.map(async (name) => {
      const module = await import(`../../../plugins/operations/${name}/index.js`)
      return [name, module.default({ settings: {} })] as const
    }),
  ),
)
const usages: readonly Json[] = [
  {
    object: 'list',
    data: [{ embedding: [0.1], index: 0 }],
    usage: { prompt_tokens: 5, total_tokens: 5 },
  },
  {
    created: 1,
    data: [{ b64_json: 'aGk=' }],
    usage: {
      input_tokens: 5,
      output_tokens: 7,
      input_tokens_details: { text_tokens: 1, image_tokens: 4 },
    },
  },
  {
    text: 'hi',
    usage: {
      type: 'tokens',
      input_tokens: 14,
      output_tokens: 4,
      input_token_details: { audio_tokens: 14 },
    },
    duration: 1.5,
    words: [],
  },
  { results: [{ index: 0, relevance_score: 0.5 }], meta: { billed_units: { search_units: 1 } } },
  {
    id: 'cmpl',
    choices: [{ text: 'a', index: 0, finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  },
  { id: 'modr', results: [{ flagged: false, categories: {} }] },
  {
    id: 'resp',
    object: 'response.compaction',
    output: [],
    usage: { input_tokens: 1, output_tokens: 2 },
  },
]
const jsonBodies = Object.values(wires).filter((wire) => !('kind' in wire)) as JsonObject[]
const answer = mutatedJson([...usages, ...answers.map(({ content }) => content)])

export const operation: Target<Input> = {
  name: 'operations',
  inputs: fc.record({
    operation: fc.constantFrom(...names),
    request: mutatedJson([...jsonBodies, ...usages]),
    answer: fc.oneof(
      answer.map(bytesIn),
      answer.map((text) => bytesIn(`data: ${text}\n\n`)),
      mutatedBytes(streams.map(({ content }) => content)),
    ),
    cuts,
  }),
  check({ operation: name, request, answer, cuts }) {
    const work = operations.get(name)!
    const bytes = bufferOf(answer)
    const body = orRefused(() => checked(work, name, request)) ?? bodyOf(name)
    assertEstimated(work.estimate(body))
    work.limits(body)
    work.named(body, 'n')
    const value = parsed(bytes)
    if (value !== undefined) {
      const { usage, estimatedTokens, failure } = work.readReply(value, body)
      assertBillable(usage, estimatedTokens)
      assertFailure(failure)
      if (failure === undefined) JSON.stringify(work.fitted?.(value, body))
    }
    for (const type of ['text/event-stream', 'audio/mpeg', 'text/plain']) {
      assert.deepEqual(
        watched(work, type, body, piecesOf(bytes, cuts)),
        watched(work, type, body, [bytes]),
        type,
      )
    }
  },
}

/** Throws a refusal where the operation does not take it. */
export function checked(work: Operation, name: OperationName, request: string): Body | undefined {
  const value = parsed(Buffer.from(request))
  if (value === undefined || request.includes('"__proto__"') || request.includes('1e999'))
    return undefined
  const usual = bodyOf(name)
  const body: Body =
    usual.kind === 'form' ? { ...usual, fields: texts(value) } : { kind: 'json', value }
  work.check(body)
  return body
}

/** A form knows texts only. */
function texts(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  )
}

function watched(work: Operation, type: string, body: Body, pieces: readonly Buffer[]) {
  const watch = work.watch(type, body)
  const passed: string[] = []
  for (const piece of pieces) passed.push(watch.push(piece).toString('latin1'))
  passed.push(watch.flush().toString('latin1'))
  const { usage, estimatedTokens, failure, ended, started } = watch
  assertBillable(usage, estimatedTokens)
  assertFailure(failure)
  return { passed: passed.join(''), usage, failure, ended, started }
}

export function assertEstimated(usage: Usage): void {
  const { serverTools = {}, dimensions: _, counts: __, ...counts } = usage
  for (const [name, count] of Object.entries({ ...counts, ...serverTools })) {
    assert.ok(
      count === undefined || (Number.isFinite(count) && count >= 0),
      `${name} estimated at ${count}`,
    )
  }
}

function parsed(bytes: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
