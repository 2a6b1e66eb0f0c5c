/** The type of a channel in forms and queries: the number it is stored under, or its name `<plugin>/<type>`. */
import type joi from 'joi'
import type { Catalog } from '../../contract/services/catalog.js'
import { readField } from './read-field.js'

const numberMax = 2_147_483_647

/** A field whose value is the number. A name nobody serves is refused; a number may wait for its plugin. */
export function channelTypeField(catalog: Pick<Catalog, 'channelTypes'>): joi.Schema {
  return readField((given) => numberOf(given, catalog), {
    openapi: { type: ['integer', 'string'], minimum: 0, maximum: numberMax },
  })
}

function numberOf(given: unknown, catalog: Pick<Catalog, 'channelTypes'>): number {
  const number = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given
  if (
    typeof number === 'number' &&
    Number.isInteger(number) &&
    number >= 0 &&
    number <= numberMax
  ) {
    return number
  }
  if (typeof given !== 'string') throw new Error('must be the number or the name of a channel type')
  const named = catalog.channelTypes().find(({ key }) => key === given)
  if (named === undefined) throw new Error('names a channel type that no plugin serves')
  return named.id
}
