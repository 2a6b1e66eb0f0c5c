/** A user's tasks page by page, as the endpoints list them: each once, whatever was made in the same moment and whoever else has some. */
import t from 'tap'
import { createReading } from '../../../../plugins/services/tasks/reading.js'
import { testDatabase } from '../../../kit/database.js'

const count = 23

t.test('pages of any length go through every task of the user once, in both orders', async (t) => {
  const { knex } = await testDatabase(t)
  const [own, other] = await knex('users')
    .insert([
      { username: 'ada', password_hash: '', aff_code: 'a' },
      { username: 'bob', password_hash: '', aff_code: 'b' },
    ])
    .returning('id')
  const row = (name: string, fields: object = {}) => ({
    ...{ task_id: `task_${name}`, request_id: `req_${name}`, user_id: own.id },
    ...{ group_name: 'default', operation: 'video', action: 'generate', model: 'm' },
    // All of one moment.
    ...{ created_at: new Date(0), ...fields },
  })
  const names = Array.from({ length: count }, (_, at) => `${at}`)
  await knex('tasks').insert([
    ...names.slice(0, 4).map((name) => row(name)),
    row('of-another', { user_id: other.id }),
    ...names.slice(4, 9).map((name) => row(name)),
    row('a-picture', { operation: 'midjourney' }),
    row('removed', { hidden: true }),
    ...names.slice(9).map((name) => row(name)),
  ])
  const { list } = createReading({
    ...{ knex, addressOf: () => undefined },
    ...{ asking: { owner: async () => 'gone' }, pricing: { ofTerms: () => ({}) as never } },
    ...{ storage: { days: () => 0 }, retentionDays: () => 0 },
  })
  for (const oldestFirst of [true, false]) {
    const all = names.map((name) => `task_${name}`)
    const expected = oldestFirst ? all : all.toReversed()
    for (const limit of [1, 4, 5, count - 1, count, 100]) {
      const seen: string[] = []
      const of = { userId: own.id, operation: 'video', oldestFirst, limit } as const
      for (let page = await list(of); ; page = await list({ ...of, after: seen.at(-1) })) {
        seen.push(...page.tasks.map(({ taskId }) => taskId))
        t.equal(page.hasMore, seen.length < count, `whether there is more behind ${seen.length}`)
        if (!page.hasMore) break
      }
      t.strictSame(seen, expected, `${limit} a page`)
    }
  }
  const of = { userId: own.id, operation: 'video', limit: 5 } as const
  for (const after of ['task_of-another', 'task_removed', 'task_none']) {
    await t.rejects(list({ ...of, after }), { code: 'task_not_found' }, after)
  }
})
