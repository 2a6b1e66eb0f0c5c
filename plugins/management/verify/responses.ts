/** What the area of verification returns. */
import joi from 'joi'
import type { Method } from './ways.js'

const methods: Readonly<Record<Method, true>> = {
  password: true,
  '2fa': true,
  passkey: true,
  session: true,
}

export function waysForm(scope: joi.Schema): joi.ObjectSchema {
  return joi.object({
    methods: joi
      .array()
      .items(joi.string().valid(...Object.keys(methods)))
      .description('Ways this person can verify. None: they have to sign in again first.'),
    scope: scope.optional().description('As the request names it.'),
  })
}

export const sessionState = joi.object({
  verified: joi.boolean().valid(true),
  window_seconds: joi
    .number()
    .integer()
    .description('For how long the session may be taken to stand without another look.'),
})
