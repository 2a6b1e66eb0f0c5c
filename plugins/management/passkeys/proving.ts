/** Signing in with a passkey, and verifying sensitive operations with one. */
import type { ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { Scope } from '../../services/verification/index.js'
import type { UsedPasskey, VerifyBeginForm } from './forms.js'

export type ProvingDependencies = Pick<
  Services,
  'challenge' | 'factors' | 'sign-in' | 'verification'
>

export async function loginBegin(
  request: ManagementRequest,
  { challenge, factors }: ProvingDependencies,
) {
  await challenge.require(request)
  return factors.passkeys.beginLogin()
}

export async function loginFinish(
  request: ManagementRequest<unknown, UsedPasskey>,
  { factors, 'sign-in': signIn }: ProvingDependencies,
) {
  const { userId, userVerified } = await factors.passkeys.finishLogin(request.body)
  // Without PIN or fingerprint it is one factor like a password, and who has an app must enter its code.
  const { totp } = await factors.of(userId)
  return signIn.begin(request, userId, totp && !userVerified ? 'password' : 'passkey')
}

export async function verifyBegin(
  request: ManagementRequest<unknown, VerifyBeginForm>,
  { factors, verification }: ProvingDependencies,
) {
  return factors.passkeys.beginVerification(verification.session(request), request.body.scope)
}

export async function verifyFinish(
  request: ManagementRequest<unknown, UsedPasskey>,
  { factors, verification }: ProvingDependencies,
) {
  const session = verification.session(request)
  const subject = await factors.passkeys.finishVerification(session, request.body)
  return verification.answer(request, { scope: subject as Scope, method: 'passkey' })
}
