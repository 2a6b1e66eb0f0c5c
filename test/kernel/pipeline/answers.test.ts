/** Answers kept for later requests. */
import t from 'tap'
import type { References } from '../../../kernel/contract/format.js'
import type { Opened } from '../../../kernel/contract/line/record.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { FakeClock } from '../../kit/clock.js'
import { lineFormat, opened } from '../../kit/line-fakes.js'

const references: References = {
  wanted: ({ store }) => store !== false,
  parts: ({ id, ...part }) => [[String(id), part]],
}

function setup(value: object = {}) {
  const clock = new FakeClock()
  const body = { kind: 'json', value } as Opened['body']
  const state = opened({ format: { ...lineFormat, references }, body })
  return { clock, answers: createAnswers(clock), state }
}

t.test('a part is recalled by its own user only, for an hour', async (t) => {
  const { clock, answers, state } = setup()
  answers.keep(state, { id: 'a', text: 'Hi' })
  t.same(answers.recall(state.user.id, 'a'), { text: 'Hi' })
  t.equal(answers.recall(state.user.id + 1, 'a'), undefined)
  t.equal(answers.recall(state.user.id, 'b'), undefined)
  clock.advance(60 * 60 * 1000 + 1)
  t.equal(answers.recall(state.user.id, 'a'), undefined)
})

t.test('nothing is kept that the client did not want kept, or that is too large', async (t) => {
  const unwanted = setup({ store: false })
  unwanted.answers.keep(unwanted.state, { id: 'a' })
  t.equal(unwanted.answers.recall(unwanted.state.user.id, 'a'), undefined)
  const { answers, state } = setup()
  answers.keep(state, { id: 'a', text: 'x'.repeat(2 * 1024 * 1024) })
  t.equal(answers.recall(state.user.id, 'a'), undefined)
  answers.keep(opened({ body: state.body }), { id: 'a' })
  t.equal(answers.recall(state.user.id, 'a'), undefined, 'a format without references')
})
