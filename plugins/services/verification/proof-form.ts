/** What a verification returns. */
import joi from 'joi'
import { unixSeconds } from '../../../kernel/toolkit/management/index.js'

export function proofForm(scopes: readonly string[]): joi.ObjectSchema {
  return joi
    .object({
      proof_token: joi
        .string()
        .description('Good for one operation, as the header X-Verification-Token.'),
      expires_at: unixSeconds,
      method: joi.string().valid('password', '2fa', 'passkey', 'session'),
      scope: joi
        .string()
        .valid(...scopes)
        .description('The operation it is good for.'),
    })
    .id('Proof')
}
