/** `/api/user/passkey`: passkeys of the caller, signing in with one, and verifying sensitive operations with one. */
import joi from 'joi'
import type { Knex } from 'knex'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, noFields, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { LiveSession, Scope } from '../../services/verification/index.js'
import {
  challenged,
  type MadePasskey,
  madePasskey,
  passkeyId,
  type RenameForm,
  renaming,
  type UsedPasskey,
  usedPasskey,
  type VerifyBeginForm,
} from './forms.js'
import { passkeyRecord, passkeysRecord } from './records.js'
import { creationOptions, passkey, passkeyList, requestOptions } from './responses.js'

export default function create({
  services,
}: Kit<
  'identity' | 'database' | 'challenge' | 'factors' | 'sign-in' | 'verification'
>): Management {
  const { identity, database, challenge, factors, verification, 'sign-in': signIn } = services
  const { passkeys } = factors

  async function list(request: ManagementRequest) {
    return passkeysRecord(await passkeys.list(signedIn(request).userId))
  }

  async function registerBegin(request: ManagementRequest) {
    await verification.require(request, 'passkey_register')
    return passkeys.beginRegistration(verification.session(request))
  }

  async function registerFinish(request: ManagementRequest<unknown, MadePasskey>) {
    const session = verification.session(request)
    const { name, ...made } = request.body
    const passkey = await passkeys.finishRegistration(session, made, name, cutting(session))
    return renewed(request, session, passkeyRecord(passkey), `passkey ${passkey.id}`)
  }

  async function loginBegin(request: ManagementRequest) {
    await challenge.require(request)
    return passkeys.beginLogin()
  }

  async function loginFinish(request: ManagementRequest<unknown, UsedPasskey>) {
    const { userId, userVerified } = await passkeys.finishLogin(request.body)
    // Without PIN or fingerprint it is one factor like a password, and who has an app must enter its code.
    const { totp } = await factors.of(userId)
    return signIn.begin(request, userId, totp && !userVerified ? 'password' : 'passkey')
  }

  async function verifyBegin(request: ManagementRequest<unknown, VerifyBeginForm>) {
    return passkeys.beginVerification(verification.session(request), request.body.scope)
  }

  async function verifyFinish(request: ManagementRequest<unknown, UsedPasskey>) {
    const session = verification.session(request)
    const subject = await passkeys.finishVerification(session, request.body)
    return verification.answer(request, { scope: subject as Scope, method: 'passkey' })
  }

  async function rename(request: ManagementRequest<unknown, RenameForm>): Promise<Answer> {
    const id = Number(request.params.id)
    const renamed = await passkeys.rename(signedIn(request).userId, id, request.body.name)
    if (renamed === undefined) throw missing()
    return { answer: true, data: passkeyRecord(renamed), audit: { object: `passkey ${id}` } }
  }

  async function removeAll(request: ManagementRequest) {
    const session = verification.session(request)
    await verification.require(request, 'passkey_delete')
    await database.knex.transaction(async (trx) => {
      await passkeys.deleteAll(session.userId, trx)
      await cutting(session)(trx)
    })
    return renewed(request, session, null, `user ${session.userId}`)
  }

  async function remove(request: ManagementRequest) {
    const session = verification.session(request)
    const id = Number(request.params.id)
    if (!(await passkeys.list(session.userId)).some((one) => one.id === id)) throw missing()
    await verification.require(request, 'passkey_delete')
    await database.knex.transaction(async (trx) => {
      if (!(await passkeys.delete(session.userId, id, trx))) throw missing()
      await cutting(session)(trx)
    })
    return renewed(request, session, null, `passkey ${id}`)
  }

  function cutting(session: LiveSession) {
    return (trx: Knex.Transaction) => identity.cutSessions(session.userId, trx, session)
  }

  async function renewed(
    { secure }: ManagementRequest,
    session: LiveSession,
    data: unknown,
    object: string,
  ): Promise<Answer> {
    const { cookie } = await identity.renewSession(session, secure)
    return { answer: true, data, headers: { 'set-cookie': cookie }, audit: { object } }
  }

  const verifyBeginForm = joi
    .object({ scope: joi.valid(...verification.scopes).required() })
    .required()

  return {
    routes: {
      list: { response: passkeyList, handle: list },
      registerBegin: { body: noFields, response: creationOptions, handle: registerBegin },
      registerFinish: { body: madePasskey, response: passkey, handle: registerFinish },
      loginBegin: {
        query: challenged,
        body: noFields,
        response: requestOptions,
        handle: loginBegin,
      },
      loginFinish: { body: usedPasskey, response: signIn.response(), handle: loginFinish },
      verifyBegin: { body: verifyBeginForm, response: requestOptions, handle: verifyBegin },
      verifyFinish: { body: usedPasskey, response: verification.response, handle: verifyFinish },
      rename: { params: passkeyId, body: renaming, response: passkey, handle: rename },
      removeAll: { response: noData, handle: removeAll },
      remove: { params: passkeyId, response: noData, handle: remove },
    },
  }
}

function missing(): Refusal {
  return new Refusal('gone_missing', { what: 'passkey', param: 'id' })
}
