/** Names that match, found without a look at the rows. */
import t from 'tap'
import { namesLike } from '../../../../kernel/toolkit/service/index.js'
import { testDatabase } from '../../../kit/database.js'

const { knex } = await testDatabase(t)
const things = { table: 'things', column: 'name' }

t.beforeEach(async () => {
  await knex.schema.dropTableIfExists('things')
  await knex.schema.createTable('things', (table) => table.text('name').notNullable().index())
})

t.test('each name that matches comes once, in any case', async (t) => {
  t.same(await namesLike(knex, things, '%a%'), [])
  await knex('things').insert(['Ada', 'Ada', 'bob', 'a%c', 'zoe', 'Ada'].map((name) => ({ name })))
  const found = async (pattern: string) => (await namesLike(knex, things, pattern))?.toSorted()
  t.same(await found('%A%'), ['Ada', 'a%c'])
  t.same(await found('%\\%%'), ['a%c'])
  t.same(await found('zo_'), ['zoe'])
})

t.test('too many names are not looked through', async (t) => {
  await knex.raw("INSERT INTO things SELECT 'name ' || n FROM generate_series(1, 5000) n")
  t.same(await namesLike(knex, things, '%77%'), await named('%77%'))
  await knex('things').insert({ name: 'one more' })
  t.equal(await namesLike(knex, things, '%77%'), undefined)
})

async function named(pattern: string): Promise<readonly string[]> {
  return knex('things').whereLike('name', pattern).orderBy('name').pluck('name')
}
