/** Reports an upstream sends by itself: read where genuine, of the one task at whose address they arrive, and refused else. */
import assert from 'node:assert/strict'
import type { Progress, TaskCallback } from '../../kernel/contract/task.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import { frozen, type TestFunction } from './kit.js'
import { bodies } from './refusals.js'
import type { NoticeCase, TaskSubject } from './task.js'
import { membersOf, naming, refOf, type TaskBench, twice } from './task-bench.js'
import { mutated } from './task-mutations.js'
import { assertProgress } from './task-progress.js'

export function conformingNotices(
  test: TestFunction,
  bench: TaskBench,
  { notices = [] }: TaskSubject,
): void {
  test('notice: is tried here if it is there', () => {
    const isTried = notices.some(({ expected }) => expected !== undefined)
    assert.equal(bench.adapter.notice !== undefined, isTried)
  })
  if (bench.adapter.notice === undefined) return
  for (const one of notices) conformingNotice(test, bench, one)
  for (const [name, body] of Object.entries(bodies)) {
    test(`notice: ${name} in place of a report is refused, or of no task`, () => {
      assert.equal(read(bench, callbackOf({ body }), notices[0]!.task), undefined)
    })
  }
}

function conformingNotice(test: TestFunction, bench: TaskBench, one: NoticeCase): void {
  const { name, task, expected, isSigned = false } = one
  const callback = callbackOf(one.callback)
  test(`notice, ${name}: ${expected?.state ?? 'nothing'} is reported`, () => {
    const found = read(bench, callback, task)
    assert.equal(found !== undefined, expected !== undefined, 'whether anything is reported')
    if (expected !== undefined) assert.deepEqual(membersOf(found!, expected), expected)
  })
  if (expected === undefined) return
  test(`notice, ${name}: at the address of another task it is not taken`, () => {
    const other = read(bench, callback, { ...task, ref: '31415926535897932384' })
    if (one.callback.body.includes(task.ref)) assert.equal(other, undefined)
  })
  test(`notice, ${name}: whatever a member is, it is read or refused`, () => {
    for (const { where, value } of mutated(JSON.parse(callback.body.toString('utf8')))) {
      const body = Buffer.from(JSON.stringify(value))
      naming(where, () => read(bench, { ...callback, body }, task))
    }
  })
  if (!isSigned) return
  test(`notice, ${name}: with a byte changed or a header missing it is refused`, () => {
    for (const forged of forgeries(callback)) {
      assert.throws(() => bench.adapter.notice!(forged, refOf(task)), { name: 'Refusal' })
    }
  })
}

function* forgeries(callback: TaskCallback): Generator<TaskCallback> {
  for (let at = 0; at < callback.body.length; at += 1) {
    const body = Buffer.from(callback.body)
    body[at]! ^= 1
    yield { ...callback, body }
  }
  for (const name of Object.keys(callback.headers)) {
    const { [name]: _, ...headers } = callback.headers
    yield { ...callback, headers }
  }
}

function callbackOf(callback: NoticeCase['callback']): TaskCallback {
  const headers = { 'content-type': 'application/json' }
  return frozen({ method: 'POST', headers, query: {}, ...callback })
}

/** Undefined: it is of no task, or it was refused. */
function read(
  { adapter }: TaskBench,
  callback: TaskCallback,
  task: NoticeCase['task'],
): Progress | undefined {
  const ref = refOf(task)
  try {
    const found = twice(() => adapter.notice!(callback, ref))
    if (found === undefined) return undefined
    assertProgress(found)
    assert.equal(found.ref, ref.ref, 'it is of the task at whose address it arrived')
    return found
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
