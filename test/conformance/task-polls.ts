/** What answers report of tasks: of those that were polled, in states they state, and never an end nobody reported. */
import assert from 'node:assert/strict'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Progress, TaskRef } from '../../kernel/contract/task.js'
import type { TestFunction } from './kit.js'
import { assertReadFailure, bodies } from './refusals.js'
import type { EndedCase, PollCase, TaskSubject } from './task.js'
import {
  answerOf,
  bytesAnswer,
  checkedRequest,
  jsonAnswer,
  membersOf,
  naming,
  now,
  refOf,
  type TaskBench,
  twice,
} from './task-bench.js'
import { mutated, renamed } from './task-mutations.js'
import { assertProgress } from './task-progress.js'

/** A word no upstream has for a state. */
const unheard = 'waybill-never-heard-of-it'
const otherRef = '31415926535897932384'

export function conformingPolls(
  test: TestFunction,
  bench: TaskBench,
  { polls, ended = [] }: TaskSubject,
): void {
  for (const one of polls) conformingPoll(test, bench, one)
  test('poll.read: there is an answer of a task that succeeded, and of one that failed', () => {
    for (const state of ['succeeded', 'failed']) {
      assert.ok(
        polls.some(({ expected }) => expected?.state === state),
        `one whose state is ${state}`,
      )
    }
  })
  test('poll.request: names what is polled, at its host, whatever the id is', () => {
    for (const ref of ['task-1', 'a/b?c&d=%00#e', '../../x', '{"a":1}', '任务']) {
      naming(`the id is ${ref}`, () => requested(bench, [refOf({ ...polls[0]?.task, ref })]))
    }
    requested(bench, [refOf(polls[0]!.task)])
  })
  test('poll.batch: a whole number of at least 1, and a call names as many tasks', () => {
    const { batch } = bench.adapter.poll
    assert.ok(Number.isSafeInteger(batch) && batch >= 1, `batch is one, here ${batch}`)
    if (batch === 1) return
    const refs = Array.from({ length: batch }, (_, at) => refOf({ ref: `task-${at}-of-a-batch` }))
    const { url, body = '' } = requested(bench, refs)
    const sent = decodeURIComponent(url) + String(body)
    const missing = refs.filter(({ ref }) => !sent.includes(ref))
    assert.deepEqual(missing, [], 'every task of the batch is in the request')
  })
  for (const [name, body] of Object.entries(bodies)) {
    test(`poll.read: ${name} in place of an answer reports no end`, () => {
      const refs = [refOf(polls[0]!.task)]
      for (const one of read(bench, bytesAnswer(body), refs) ?? []) assertNoEnd(one)
    })
  }
  conformingEnded(test, bench, polls, ended)
}

function conformingPoll(test: TestFunction, bench: TaskBench, one: PollCase): void {
  const { name, expected } = one
  const task = refOf(one.task)
  const answer = answerOf(one.answer)
  const parsed = JSON.parse(answer.body.toString('utf8'))
  const readOne = (whole: WholeAnswer) => read(bench, whole, [task])?.[0]
  test(`poll.read, ${name}: ${expected?.state ?? 'nothing'} is reported`, () => {
    const found = readOne(answer)
    assert.equal(found !== undefined, expected !== undefined, 'whether anything is reported')
    if (expected !== undefined) assert.deepEqual(membersOf(found!, expected), expected)
    const isKeyed = found?.results?.some(({ keyed }) => keyed === true) ?? false
    assert.ok(
      !isKeyed || bench.adapter.content,
      'a result that needs the key is fetched by content',
    )
  })
  test(`poll.read, ${name}: whatever a member is, nothing is thrown`, () => {
    for (const { where, value } of mutated(parsed)) naming(where, () => readOne(jsonAnswer(value)))
  })
  if (expected === undefined) return
  test(`poll.read, ${name}: a word that is not known is unknown, kept, and no failure`, () => {
    const { word } = readOne(answer)!
    if (word === undefined) return
    const found = readOne(jsonAnswer(renamed(parsed, word, unheard)))
    if (found === undefined) return
    assert.equal(found.state, 'unknown', 'the state')
    assert.equal(found.word, unheard, 'the word')
  })
  test(`poll.read, ${name}: a report of another task is not taken`, () => {
    const other = renamed(parsed, task.ref, otherRef)
    const isNamed = JSON.stringify(other) !== JSON.stringify(parsed)
    if (isNamed) assert.deepEqual(read(bench, jsonAnswer(other), [task]) ?? [], [])
    assert.deepEqual(read(bench, answer, []) ?? [], [], 'where none was polled, none is reported')
  })
}

function requested(bench: TaskBench, refs: readonly TaskRef[]) {
  const { adapter, channel, credentials } = bench
  const request = () => adapter.poll.request(refs, channel, credentials, { now })
  return checkedRequest(bench, twice(request))
}

/** Undefined: the call failed, which is no verdict over a task. */
function read(
  { adapter, channel }: TaskBench,
  answer: WholeAnswer,
  refs: readonly TaskRef[],
): readonly Progress[] | undefined {
  const found = twice(() => adapter.poll.read(answer, Object.freeze(refs), channel))
  if ('failure' in found) {
    assertReadFailure(found.failure)
    return undefined
  }
  for (const progress of found) {
    assertProgress(progress)
    const isPolled = refs.some(({ ref }) => ref === progress.ref)
    assert.ok(isPolled, `a report names a task that was polled, here ${progress.ref}`)
  }
  return found
}

function assertNoEnd({ state }: Progress): void {
  assert.ok(state !== 'failed' && state !== 'succeeded', `the state is ${state}`)
}

const statuses = [301, 400, 401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 504]

function conformingEnded(
  test: TestFunction,
  bench: TaskBench,
  polls: readonly PollCase[],
  ended: readonly EndedCase[],
): void {
  const { readRefusal } = bench.adapter.poll
  test('poll.readRefusal: is tried here if it is there', () => {
    assert.equal(readRefusal !== undefined, ended.length > 0)
  })
  if (readRefusal === undefined) return
  const readOne = (answer: WholeAnswer, ref: TaskRef) => {
    const found = twice(() => bench.adapter.poll.readRefusal!(answer, ref))
    if (found === undefined) return undefined
    assertProgress(found)
    assert.equal(found.ref, ref.ref, 'it is of the task that was polled')
    return found
  }
  for (const { name, task, answer, expected } of ended) {
    test(`poll.readRefusal, ${name}: ${expected.state} is reported`, () => {
      const found = readOne(answerOf(answer), refOf(task))
      assert.ok(found, 'something is reported')
      assert.deepEqual(membersOf(found, expected), expected)
    })
    test(`poll.readRefusal, ${name}: whatever a member is, nothing is thrown`, () => {
      for (const { where, value } of mutated(JSON.parse(answer.body.toString('utf8')))) {
        const whole = { ...answer, body: Buffer.from(JSON.stringify(value)) }
        naming(where, () => readOne(whole, refOf(task)))
      }
    })
  }
  test('poll.readRefusal: what states nothing of the task ends nothing', () => {
    const ref = refOf(polls[0]!.task)
    for (const status of statuses) {
      for (const [name, body] of Object.entries(bodies)) {
        naming(`the status is ${status} and the body ${name}`, () => {
          assert.equal(readOne(bytesAnswer(body, 'text/html', status), ref), undefined)
        })
      }
    }
  })
}
