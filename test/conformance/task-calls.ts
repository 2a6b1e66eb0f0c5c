/** Calls beside those that submit and poll: the bytes of a result, fetched with the key, and the end of a task. */
import assert from 'node:assert/strict'
import type { UpstreamRequest } from '../../kernel/contract/provider.js'
import type { TaskRef, TaskResult } from '../../kernel/contract/task.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import { frozen, type TestFunction } from './kit.js'
import type { TaskSubject } from './task.js'
import {
  assertAddress,
  checkedRequest,
  naming,
  now,
  refOf,
  type TaskBench,
  twice,
} from './task-bench.js'

/** Where a key would be taken by somebody else. */
const traps = [
  'https://elsewhere.example/clip.mp4',
  'http://127.0.0.1/clip.mp4',
  'https://user@elsewhere.example/',
]

export function conformingCalls(
  test: TestFunction,
  bench: TaskBench,
  { contents = [], cancels = [] }: TaskSubject,
): void {
  const { adapter } = bench
  test('content and cancel: are tried here if they are there', () => {
    assert.equal(adapter.content !== undefined, contents.length > 0, 'content')
    assert.equal(adapter.cancel !== undefined, cancels.length > 0, 'cancel')
  })
  for (const one of contents) {
    const { name, result } = one
    const task = refOf(one.task)
    test(`content, ${name}: is fetched where it lies`, () => {
      assertAddress(bench, contentOf(bench, task, result)!, one, 'GET')
    })
    test(`content, ${name}: the key goes nowhere else, whatever the upstream named`, () => {
      for (const url of traps) {
        naming(`the address is ${url}`, () => contentOf(bench, task, { ...result, url }))
      }
    })
  }
  for (const one of cancels) {
    test(`cancel, ${one.name}: is sent where the upstream ends tasks`, () => {
      assertAddress(bench, cancelOf(bench, refOf(one.task)), one, 'POST')
    })
    test(`cancel, ${one.name}: stays at its host, whatever the id is`, () => {
      for (const ref of ['a/b?c&d=%00#e', '../../x', '任务']) {
        naming(`the id is ${ref}`, () => cancelOf(bench, refOf({ ...one.task, ref })))
      }
    })
  }
}

/** Undefined: there is no such result. */
function contentOf(bench: TaskBench, task: TaskRef, result: TaskResult) {
  const { adapter, channel, credentials } = bench
  const call = () => adapter.content!(task, frozen(result), channel, credentials, { now })
  try {
    const request = twice(call)
    return isKeyed(bench, request) ? checkedRequest(bench, request) : request
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What carries no key may go where it likes: the gateway treats it as an address a stranger named. */
function isKeyed({ credentials }: TaskBench, { url, headers, body }: UpstreamRequest): boolean {
  const { key, token = key } = credentials
  const sent = JSON.stringify([url, headers, String(body ?? '')])
  return [key, token].some((secret) => sent.includes(secret))
}

function cancelOf(bench: TaskBench, task: TaskRef): UpstreamRequest {
  const { adapter, channel, credentials } = bench
  const call = () => adapter.cancel!(task, channel, credentials, { now })
  return checkedRequest(bench, twice(call))
}
