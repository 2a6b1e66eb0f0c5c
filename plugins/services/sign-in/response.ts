/** What a sign-in returns: the account, or that a second factor is required first. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { Account } from './user.js'

const account = {
  id: joi.number().integer(),
  username: joi.string().example('ada'),
  display_name: joi.string().allow(''),
  role: joi.number().valid(1, 10, 100).description('1: user. 10: admin. 100: root.'),
  status: joi.number().valid(1).description('1: enabled. Nobody else is signed in.'),
  group: joi.string().example('default'),
}

const secondStep = {
  require_2fa: joi.boolean().valid(true),
  flow_token: joi
    .string()
    .description('Names this sign-in at its second step; a cookie holds it as well.'),
}

/** `more`: fields that stand beside either. */
export function signInResponse(more?: joi.PartialSchemaMap): joi.AlternativesSchema {
  const forms =
    more === undefined
      ? [responseForm<Account>(account).id('SignedIn'), joi.object(secondStep).id('SecondStep')]
      : [joi.object({ ...account, ...more }), joi.object({ ...secondStep, ...more })]
  return joi
    .alternatives(...forms)
    .description('The account that is signed in now, or that a code is required first.')
}
