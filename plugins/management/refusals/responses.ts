/** What the area of refused fields returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { RefusedField } from '../../services/refusals/index.js'

const text = joi.string().allow('')
const seconds = joi.number().integer().min(0)

/** In the family's spelling. */
export interface RefusedFieldRecord extends Omit<RefusedField, 'firstSeen' | 'lastSeen'> {
  readonly first_seen: number
  readonly last_seen: number
}

const refusedField = responseForm<RefusedFieldRecord>({
  model: text.description('As the upstream knows it.'),
  field: text.description('Empty: the upstream named none.'),
  count: joi.number().integer().min(1).description('Requests that were refused for it.'),
  first_seen: seconds.description('Unix seconds.'),
  last_seen: seconds.description('Unix seconds.'),
  status: joi.number().integer().description('Of the last refusal.'),
  message: text.description(
    'Words of the upstream in the last refusal, masked, at most 300 characters.',
  ),
}).id('RefusedField')

export const refusedFieldList = joi.array().items(refusedField).max(200)

export const refusalsCleared = joi.object({
  cleared: joi.number().integer().min(0).description('How many fields there were.'),
})
