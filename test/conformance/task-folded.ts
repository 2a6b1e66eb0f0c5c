/**
 * Tasks somebody waits for: what a client of the operation receives once its task has ended. The gateway names the task by an id of
 * its own then, and has put addresses of its own where the upstream's are of no use.
 */
import assert from 'node:assert/strict'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName, TaskOperationName } from '../../kernel/contract/names.js'
import type { Answered } from '../../kernel/contract/operation.js'
import type { Progress, TaskResult } from '../../kernel/contract/task.js'
import { frozen, type TestFunction } from './kit.js'
import { assertReadFailure } from './refusals.js'
import type { FoldedCase, TaskSubject } from './task.js'
import { answerOf, naming, refOf, type TaskBench, twice } from './task-bench.js'
import { mutated } from './task-mutations.js'

/** When the tasks of the cases ended, Unix milliseconds. */
const endedAt = 1_767_225_600_500
const taskId = 'task_01KXWAYBILLKNOWSITBYTHIS0'
const ownAddress = `/v1/tasks/${taskId}/results/0?uid=1&expires=1767229200&signature=5f0c9a`
const otherAddress = 'https://results.example/another'

/** Their clients get the task itself, and wait for nothing. */
const ofTasks: readonly TaskOperationName[] = ['video', 'music', 'midjourney']

type Folding = Pick<Progress, 'results' | 'raw'>

export function conformingFolded(
  test: TestFunction,
  bench: TaskBench,
  { folded = [], polls, requests }: TaskSubject,
): void {
  const { adapter, operation } = bench
  test('folded: is there where the operation has an answer of its own, and is tried here', () => {
    assert.equal(adapter.folded !== undefined, hasAnswer(operation), `the operation ${operation}`)
    assert.equal(folded.length > 0, adapter.folded !== undefined, 'there are cases for it')
  })
  if (adapter.folded === undefined) return
  for (const one of folded) {
    const { body } = requests.find(({ name }) => name === one.request) ?? requests[0]!
    conformingFold(test, bench, { one, polls, body })
  }
}

function hasAnswer(operation: OperationName): boolean {
  return !ofTasks.some((name) => name === operation)
}

interface Waiting extends Pick<TaskSubject, 'polls'> {
  readonly one: FoldedCase
  readonly body: JsonObject
}

function conformingFold(
  test: TestFunction,
  bench: TaskBench,
  { one: { name, poll, expected }, polls, body }: Waiting,
): void {
  const reported = () => reportOf(bench, polls, poll)
  const folded = (change: Partial<Folding>, requested = body) =>
    fold(bench, { ...reported(), ...change }, requested)
  test(`folded, ${name}: the answer is in the form of the operation`, () => {
    assert.deepEqual(folded({}), expected)
  })
  test(`folded, ${name}: every result is in the answer`, () => {
    const { results = [] } = reported()
    const another = results.map((result) => ({ ...result, url: otherAddress }))
    const found = folded({ results: [...results, ...another] })
    if (!('json' in found)) return
    for (const part of [...results, ...another].flatMap(partsOf)) mustHold(found, part)
  })
  test(`folded, ${name}: an address of the gateway is passed on as it is`, () => {
    const { results = [] } = reported()
    const [{ data: _, ...first } = { type: 'image' as const }] = results
    const found = folded({ results: [{ ...first, url: ownAddress }] })
    if ('json' in found) mustHold(found, ownAddress)
  })
  test(`folded, ${name}: a task that made nothing is a failure, and no answer of nothing`, () => {
    for (const results of [[], undefined]) assert.ok('failure' in folded({ results }))
  })
  test(`folded, ${name}: whatever the upstream and the client wrote, an answer or a failure`, () => {
    const { results = [], raw } = reported()
    for (const { where, value } of mutated(raw)) {
      naming(`raw: ${where}`, () => folded({ raw: value as JsonObject }))
    }
    for (const { where, value } of mutated(body)) {
      naming(`the request: ${where}`, () => folded({}, value as JsonObject))
    }
    for (const meta of metasOf(results)) {
      const changed = results.map((result) => ({ ...result, meta }))
      naming(`meta is ${JSON.stringify(meta).slice(0, 80)}`, () => folded({ results: changed }))
    }
  })
}

/** What an upstream may have written beside a result, with each member as something else. */
function metasOf(results: readonly TaskResult[]): readonly JsonObject[] {
  return results.flatMap(({ meta }) =>
    meta === undefined ? [] : [...mutated(meta)].map(({ value }) => value as JsonObject),
  )
}

function partsOf({ url, data, text }: TaskResult): readonly string[] {
  const bytes = data?.slice(data.indexOf(',') + 1)
  return [url, url === undefined ? bytes : undefined, text].filter((part) => part !== undefined)
}

function mustHold({ json }: { readonly json: JsonObject }, part: string): void {
  const written = JSON.stringify(part).slice(1, -1)
  assert.ok(JSON.stringify(json).includes(written), `the answer holds ${part.slice(0, 200)}`)
}

/** The report of a poll as the gateway keeps it: of the task it knows by an id of its own. */
function reportOf(bench: TaskBench, polls: TaskSubject['polls'], name: string): Folding {
  const one = polls.find((poll) => poll.name === name)
  assert.ok(one, `there is a poll named "${name}"`)
  const found = bench.adapter.poll.read(answerOf(one.answer), [refOf(one.task)], bench.channel)
  const [progress] = 'failure' in found ? [] : found
  assert.equal(progress?.state, 'succeeded', `the poll "${name}" reports a success`)
  return { results: progress.results, raw: progress.raw }
}

function fold(
  { adapter }: TaskBench,
  { results, raw }: Folding,
  requested: JsonObject,
): Answered | { readonly failure: unknown } {
  const progress = frozen<Progress>({
    ...{ ref: taskId, state: 'succeeded', raw, createdAt: endedAt - 60_000, updatedAt: endedAt },
    ...(results !== undefined && { results }),
  })
  const body = frozen<Body>({ kind: 'json', value: requested })
  const found = twice(() => adapter.folded!(progress, body))
  if ('failure' in found) assertReadFailure(found.failure)
  else if ('json' in found) {
    assert.deepEqual(JSON.parse(JSON.stringify(found.json)), found.json, 'the answer is JSON')
  } else if ('url' in found) assert.ok(URL.canParse(found.url), 'an absolute address')
  else assert.ok(Buffer.isBuffer(found.bytes) && found.type !== '', 'bytes have a type')
  return found
}
