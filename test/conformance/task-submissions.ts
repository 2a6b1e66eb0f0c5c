/** Answers to the call that submits: the id of a task, or a failure, whatever they are. */
import assert from 'node:assert/strict'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import { frozen, type TestFunction } from './kit.js'
import { assertReadFailure, bodies } from './refusals.js'
import type { SubmissionCase, TaskSubject } from './task.js'
import {
  answerOf,
  bytesAnswer,
  jsonAnswer,
  membersOf,
  naming,
  shaped,
  type TaskBench,
  twice,
} from './task-bench.js'
import { mutated } from './task-mutations.js'
import { assertSubmission } from './task-progress.js'

export function conformingSubmissions(
  test: TestFunction,
  bench: TaskBench,
  { submissions, requests }: TaskSubject,
): void {
  const read = ({ request }: Pick<SubmissionCase, 'request'>, answer: WholeAnswer) => {
    const one = requests.find(({ name }) => name === request) ?? requests[0]!
    const wire = frozen(shaped(bench, one))
    const found = twice(() => bench.adapter.submitted(answer, wire, one.body.model))
    if ('failure' in found) assertReadFailure(found.failure)
    else assertSubmission(found)
    return found
  }
  test('submitted: there is an answer that names a task', () => {
    assert.ok(submissions.some(({ expected }) => expected?.ref !== undefined))
  })
  for (const one of submissions) {
    const { name, expected } = one
    test(`submitted, ${name}: ${expected === undefined ? 'a failure' : 'a task'}`, () => {
      const found = read(one, answerOf(one.answer))
      assert.equal('failure' in found, expected === undefined, 'whether it is a failure')
      if (expected !== undefined) assert.deepEqual(membersOf(found, expected), expected)
    })
    test(`submitted, ${name}: whatever a member is, a task or a failure`, () => {
      const parsed = JSON.parse(answerOf(one.answer).body.toString('utf8'))
      for (const { where, value } of mutated(parsed)) {
        naming(where, () => read(one, jsonAnswer(value)))
      }
    })
  }
  for (const [name, body] of Object.entries(bodies)) {
    test(`submitted: ${name} in place of an answer is a failure`, () => {
      assert.ok('failure' in read({}, bytesAnswer(body)), 'no task was submitted')
    })
  }
}
