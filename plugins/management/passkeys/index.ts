/** `/api/user/passkey`: passkeys of the caller, signing in with one, and verifying sensitive operations with one. */
import joi from 'joi'
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData, noFields, signedIn } from '../../../kernel/toolkit/management/index.js'
import { challenged, madePasskey, passkeyId, renaming, usedPasskey } from './forms.js'
import * as keeping from './keeping.js'
import * as proving from './proving.js'
import { passkeysRecord } from './records.js'
import { creationOptions, passkey, passkeyList, requestOptions } from './responses.js'

export default function create({
  services,
}: Kit<
  'identity' | 'database' | 'challenge' | 'factors' | 'sign-in' | 'verification'
>): Management {
  const { factors, verification, 'sign-in': signIn } = services
  const verifyBeginForm = joi
    .object({ scope: joi.valid(...verification.scopes).required() })
    .required()

  return {
    routes: {
      list: {
        response: passkeyList,
        handle: async (request) =>
          passkeysRecord(await factors.passkeys.list(signedIn(request).userId)),
      },
      registerBegin: {
        body: noFields,
        response: creationOptions,
        handle: (request) => keeping.registerBegin(request, services),
      },
      registerFinish: {
        body: madePasskey,
        response: passkey,
        handle: (request) => keeping.registerFinish(request, services),
      },
      loginBegin: {
        query: challenged,
        body: noFields,
        response: requestOptions,
        handle: (request) => proving.loginBegin(request, services),
      },
      loginFinish: {
        body: usedPasskey,
        response: signIn.response(),
        handle: (request) => proving.loginFinish(request, services),
      },
      verifyBegin: {
        body: verifyBeginForm,
        response: requestOptions,
        handle: (request) => proving.verifyBegin(request, services),
      },
      verifyFinish: {
        body: usedPasskey,
        response: verification.response,
        handle: (request) => proving.verifyFinish(request, services),
      },
      rename: {
        params: passkeyId,
        body: renaming,
        response: passkey,
        handle: (request) => keeping.rename(request, services),
      },
      removeAll: {
        response: noData,
        handle: (request) => keeping.removeAll(request, services),
      },
      remove: {
        params: passkeyId,
        response: noData,
        handle: (request) => keeping.remove(request, services),
      },
    },
  }
}
