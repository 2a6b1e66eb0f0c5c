/** What the session area returns. */
import joi from 'joi'
import { responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { sessionRecord } from './session-record.js'

const session = responseForm<ReturnType<typeof sessionRecord>>({
  sid: joi.string().description('Names the session; it opens nothing.'),
  method: joi.string().description('How they signed in.'),
  address: joi.string().allow(''),
  user_agent: joi.string().allow(''),
  created_at: unixSeconds,
  last_seen_at: unixSeconds,
  current: joi.boolean().description('The one of this request.'),
}).id('Session')

export const sessionList = joi.array().items(session)
