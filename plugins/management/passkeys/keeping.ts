/** Passkeys of the caller: made, named, removed. What changes a way into the account ends the caller's other sessions. */
import type { Knex } from 'knex'
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { LiveSession } from '../../services/verification/index.js'
import type { MadePasskey, RenameForm } from './forms.js'
import { passkeyRecord } from './records.js'

export type KeepingDependencies = Pick<
  Services,
  'identity' | 'database' | 'factors' | 'verification'
>

export async function registerBegin(
  request: ManagementRequest,
  { verification, factors }: KeepingDependencies,
) {
  await verification.require(request, 'passkey_register')
  return factors.passkeys.beginRegistration(verification.session(request))
}

export async function registerFinish(
  request: ManagementRequest<unknown, MadePasskey>,
  { verification, factors, identity }: KeepingDependencies,
): Promise<Answer> {
  const session = verification.session(request)
  const { name, ...made } = request.body
  const endOthers = (trx: Knex.Transaction) => identity.cutSessions(session.userId, trx, session)
  const passkey = await factors.passkeys.finishRegistration(session, made, name, endOthers)
  const renewing = { request, session, identity }
  return renewed(renewing, passkeyRecord(passkey), `passkey ${passkey.id}`)
}

export async function rename(
  request: ManagementRequest<unknown, RenameForm>,
  { factors }: KeepingDependencies,
): Promise<Answer> {
  const id = Number(request.params.id)
  const renamed = await factors.passkeys.rename(signedIn(request).userId, id, request.body.name)
  if (renamed === undefined) throw missing()
  return { answer: true, data: passkeyRecord(renamed), audit: { object: `passkey ${id}` } }
}

export async function removeAll(
  request: ManagementRequest,
  { verification, factors, identity, database }: KeepingDependencies,
): Promise<Answer> {
  const session = verification.session(request)
  await verification.require(request, 'passkey_delete')
  await database.knex.transaction(async (trx) => {
    await factors.passkeys.deleteAll(session.userId, trx)
    await identity.cutSessions(session.userId, trx, session)
  })
  return renewed({ request, session, identity }, null, `user ${session.userId}`)
}

export async function remove(
  request: ManagementRequest,
  { verification, factors, identity, database }: KeepingDependencies,
): Promise<Answer> {
  const session = verification.session(request)
  const { passkeys } = factors
  const id = Number(request.params.id)
  if (!(await passkeys.list(session.userId)).some((one) => one.id === id)) throw missing()
  await verification.require(request, 'passkey_delete')
  await database.knex.transaction(async (trx) => {
    if (!(await passkeys.delete(session.userId, id, trx))) throw missing()
    await identity.cutSessions(session.userId, trx, session)
  })
  return renewed({ request, session, identity }, null, `passkey ${id}`)
}

interface Renewing extends Pick<KeepingDependencies, 'identity'> {
  readonly request: Pick<ManagementRequest, 'secure'>
  readonly session: LiveSession
}

async function renewed(
  { request, session, identity }: Renewing,
  data: unknown,
  object: string,
): Promise<Answer> {
  const { cookie } = await identity.renewSession(session, request.secure)
  return { answer: true, data, headers: { 'set-cookie': cookie }, audit: { object } }
}

function missing(): Refusal {
  return new Refusal('gone_missing', { what: 'passkey', param: 'id' })
}
