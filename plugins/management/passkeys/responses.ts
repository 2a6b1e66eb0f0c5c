/** What the area of passkeys returns. */
import joi from 'joi'
import { responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { passkeyRecord, passkeysRecord } from './records.js'

export const passkey = responseForm<ReturnType<typeof passkeyRecord>>({
  id: joi.number().integer(),
  name: joi.string().allow(''),
  created_at: unixSeconds,
  last_used_at: unixSeconds.allow(null).description('Unix seconds. Null: never.'),
  backed_up: joi.boolean().description('It is kept in more than one place.'),
  device_type: joi.string().valid('singleDevice', 'multiDevice'),
}).id('Passkey')

export const passkeyList = responseForm<ReturnType<typeof passkeysRecord>>({
  enabled: joi.boolean().description('There is one.'),
  count: joi.number().integer().min(0),
  passkeys: joi.array().items(passkey),
  last_used_at: unixSeconds.allow(null).description('Unix seconds. Null: none was ever used.'),
}).id('Passkeys')

/** WebAuthn defines the other members. */
export const creationOptions = joi
  .object({ challenge: joi.string() })
  .unknown()
  .description('PublicKeyCredentialCreationOptionsJSON of WebAuthn, for the browser.')

export const requestOptions = joi
  .object({ challenge: joi.string() })
  .unknown()
  .description('PublicKeyCredentialRequestOptionsJSON of WebAuthn, for the browser.')
