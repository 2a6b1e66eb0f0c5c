/** What is taken of passkeys: the answers of authenticators as browsers write them in JSON (WebAuthn, level 3). */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import joi from 'joi'
import { oneLine, rowId } from '../../../kernel/toolkit/management/index.js'
import type { Scope } from '../../services/verification/index.js'

export type MadePasskey = RegistrationResponseJSON & { readonly name: string }
export type UsedPasskey = AuthenticationResponseJSON

export interface RenameForm {
  readonly name: string
}

export interface VerifyBeginForm {
  readonly scope: Scope
}

const name = oneLine.max(64)
const base64url = joi.string().pattern(/^[A-Za-z0-9_-]+$/, 'base64url')
const credentialId = base64url.max(1400)
const large = base64url.max(32_768)

const credential = {
  id: credentialId.required(),
  rawId: joi.valid(joi.ref('id')).required(),
  type: joi.valid('public-key').required(),
}

export const madePasskey = joi
  .object({
    ...credential,
    name: name.allow('').default(''),
    response: joi
      .object({
        clientDataJSON: large.required(),
        attestationObject: large.required(),
        transports: joi
          .array()
          .items(joi.string().pattern(/^[a-z-]{1,32}$/, 'the name of a transport'))
          .max(8)
          .default([]),
      })
      .required(),
  })
  .required()

export const usedPasskey = joi
  .object({
    ...credential,
    response: joi
      .object({
        clientDataJSON: large.required(),
        authenticatorData: large.required(),
        signature: large.required(),
        userHandle: base64url.max(128).empty(joi.valid('', null)),
      })
      .required(),
  })
  .required()

/** Older callers send the bot challenge's token here (AUTH-7). */
export const challenged = joi.object({ turnstile: joi.string().allow('').max(2048) })

export const passkeyId = joi.object({ id: rowId.required() })

export const renaming = joi
  .object({ name: name.required() })
  .prefs({ stripUnknown: true })
  .required()
