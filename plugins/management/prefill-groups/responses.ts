/** What the area of prefill groups returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { GroupRecord } from './store.js'

export const prefillGroup = responseForm<GroupRecord>({
  id: joi.number().integer(),
  name: joi.string(),
  type: joi.string().valid('model', 'tag', 'endpoint'),
  items: joi
    .alternatives(joi.array().items(joi.string()), joi.object().unknown())
    .description('Models or tags as a list; endpoints by their name.'),
  description: joi.string().allow(''),
}).id('PrefillGroup')

export const prefillGroupList = joi.array().items(prefillGroup)
