/** Media tasks: requests of clients, and what upstreams send of tasks, at every verb of every task type; nothing is thrown but refusals. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Progress } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import type { TaskSubject } from '../../conformance/index.js'
import {
  addressed,
  answerOf,
  bytesAnswer,
  refOf,
  shaped,
  type TaskBench,
  taskBench,
} from '../../conformance/task-bench.js'
import {
  assertProgress,
  assertQuantities,
  assertSubmission,
} from '../../conformance/task-progress.js'
import { taskSubjects } from '../../plugins/tasks/subjects/index.js'
import { assertFailure, orRefused } from '../assertions.js'
import { mutatedJson } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly type: string
  readonly request: string
  /** What an override of the channel made of the outgoing request. */
  readonly wire: string
  readonly answer: string
  readonly status: number
}

const benches: Readonly<Record<string, TaskBench>> = Object.fromEntries(
  Object.entries(taskSubjects).map(([name, subject]) => [name, taskBench(subject)]),
)

export const tasks: Target<Input> = {
  name: 'tasks',
  inputs: fc.oneof(
    ...Object.entries(taskSubjects).map(([type, subject]) =>
      fc.record({
        type: fc.constant(type),
        request: mutatedJson(requestsOf(subject)),
        wire: mutatedJson(wiresOf(benches[type]!, subject)),
        answer: mutatedJson(answersOf(subject)),
        status: fc.integer({ min: 100, max: 599 }),
      }),
    ),
  ),
  check({ type, request, wire, answer, status }) {
    const bench = benches[type]!
    const subject = taskSubjects[type]!
    assertRequest(bench, subject, request)
    assertWire(bench, subject, wire)
    assertSubmitted(bench, subject, answer)
    assertPolled(bench, subject, answer)
    assertNoticed(bench, subject, answer)
    assertRefused(bench, subject, answer, status)
  },
}

/** The client's own form, and the upstream's words in its `metadata`. */
function requestsOf({ requests }: TaskSubject): readonly Json[] {
  return requests.flatMap(({ body, sent = {} }) => [body, { ...body, metadata: sent }])
}

function wiresOf(bench: TaskBench, { requests }: TaskSubject): readonly Json[] {
  return requests.map((one) => jsonOf(shaped(bench, one)))
}

function answersOf({ submissions, polls, notices = [], ended = [] }: TaskSubject): readonly Json[] {
  const whole = [...submissions, ...polls, ...ended].map(({ answer }) => answerOf(answer).body)
  const bodies = [...whole, ...notices.map(({ callback }) => callback.body)]
  return bodies.map((body) => JSON.parse(body.toString('utf8')))
}

function assertRequest(bench: TaskBench, { requests }: TaskSubject, text: string): void {
  const [{ body: least, context }] = requests as readonly [TaskSubject['requests'][0]]
  const value = parsed(text)
  if (!isObject(value) || text.includes('"__proto__"')) return
  const { model } = least
  const wire = refusedByName(() => shaped(bench, { body: { ...value, model }, context }))
  if (wire !== undefined) assertCounted(bench, wire, model)
}

function assertWire(bench: TaskBench, { requests }: TaskSubject, text: string): void {
  const value = parsed(text)
  if (isObject(value)) assertCounted(bench, { kind: 'json', value }, requests[0]!.body.model)
}

function assertCounted(bench: TaskBench, wire: Body, model: string): void {
  assertQuantities(bench.adapter.quantities(wire, model, { kind: 'none' }), 'quantities')
  orRefused(() => addressed(bench, wire, model))
}

function refusedByName<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    assert.notEqual(error.param, '', 'a refusal names the field')
    return undefined
  }
}

function assertSubmitted({ adapter }: TaskBench, { requests }: TaskSubject, text: string): void {
  const wire: Body = { kind: 'json', value: {} }
  const found = adapter.submitted(bytesOf(text), wire, requests[0]!.body.model)
  if ('failure' in found) {
    assertFailure(found.failure)
    return
  }
  const { progress } = found
  assertSubmission({ ...found, ...(progress !== undefined && { progress: readable(progress) }) })
}

function assertPolled({ adapter, channel }: TaskBench, { polls }: TaskSubject, text: string): void {
  for (const { task } of polls) {
    const ref = refOf(task)
    const found = adapter.poll.read(bytesOf(text), [ref], channel)
    if ('failure' in found) assertFailure(found.failure)
    else for (const one of found) assertOf(one, ref.ref)
  }
}

function assertNoticed({ adapter }: TaskBench, { notices = [] }: TaskSubject, text: string): void {
  for (const { task, callback } of notices) {
    const sent = { method: 'POST', headers: {}, query: {}, ...callback, body: Buffer.from(text) }
    const found = orRefused(() => adapter.notice?.(sent, refOf(task)))
    if (found !== undefined) assertOf(found, task.ref)
  }
}

function assertRefused(
  { adapter }: TaskBench,
  { polls }: TaskSubject,
  text: string,
  status: number,
): void {
  const ref = refOf(polls[0]!.task)
  const found = adapter.poll.readRefusal?.({ ...bytesOf(text), status }, ref)
  if (found !== undefined) assertOf(found, ref.ref)
  assertFailure(adapter.fail(status, {}, Buffer.from(text)))
}

function assertOf(progress: Progress, ref: string): void {
  assertProgress(readable(progress))
  assert.equal(progress.ref, ref, 'a report is of the task that was polled')
}

/** Infinity is no JSON; the gateway keeps null in its place. */
function readable<P extends { readonly raw: JsonObject }>(progress: P): P {
  return { ...progress, raw: JSON.parse(JSON.stringify(progress.raw)) }
}

function bytesOf(text: string) {
  return bytesAnswer(Buffer.from(text), 'application/json')
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
