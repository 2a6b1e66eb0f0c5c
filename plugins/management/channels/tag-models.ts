/** The models of a tag. */
import type { Knex } from 'knex'
import { noSuchTag } from './refusals.js'

/** More names than the models of one tag have. */
const namesMax = 100_000

/** Every model some channel of the tag serves, in order of name. Throws `gone_missing` where no channel has the tag. */
export async function modelsOfTag(knex: Knex, tag: string): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { model: string | null }[] }>(
    `SELECT DISTINCT model FROM channels LEFT JOIN LATERAL unnest(models) AS model ON true
     WHERE tag = ? LIMIT ?`,
    [tag, namesMax],
  )
  if (rows.length === 0) noSuchTag()
  return rows.flatMap(({ model }) => model ?? []).sort()
}
