/** The ceremonies in which somebody shows a passkey: to sign in, or to prove in a session who they are. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Passkeys } from './factors.js'
import {
  type CeremonyDependencies,
  descriptor,
  failed,
  handleOf,
  requireEnabled,
  timeout,
  webauthn,
} from './passkey-ceremony.js'
import type { PasskeyRow } from './passkey-rows.js'
import { checkedAssertion } from './passkey-words.js'

type PasskeyLogin = Pick<Passkeys, 'beginLogin' | 'finishLogin'>
type PasskeyVerification = Pick<Passkeys, 'beginVerification' | 'finishVerification'>

export function passkeyLogin(dependencies: CeremonyDependencies): PasskeyLogin {
  const { passkeys, home, settings, challenges } = dependencies
  return {
    async beginLogin() {
      requireEnabled(settings)
      const { rpId } = home.place()
      const { generateAuthenticationOptions } = await webauthn()
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge: await challenges.make('passkey_login'),
        timeout,
        userVerification: wishOf(settings.string('userVerification')),
      })
    },
    async finishLogin(answer) {
      requireEnabled(settings)
      const challenge = await challenges.take('passkey_login', answer)
      if (challenge === undefined) throw new Refusal('sign_in_expired')
      const row = await passkeys.byCredential(Buffer.from(answer.id, 'base64url'))
      // The authenticator names the passkey's user; who holds another's does not become them.
      const named = answer.response.userHandle
      if (row === undefined || named !== handleOf(row.user_id).toString('base64url')) throw failed()
      const userVerification = settings.string('userVerification') === 'required'
      const options = { challenge: challenge.text, userVerification }
      return { userId: row.user_id, ...(await assertionBy(dependencies, row, answer, options)) }
    },
  }
}

export function passkeyVerification(dependencies: CeremonyDependencies): PasskeyVerification {
  const { passkeys, home, challenges } = dependencies
  return {
    async beginVerification(owner, subject) {
      const { rpId } = home.place()
      const had = await passkeys.list(owner.userId)
      if (had.length === 0) throw new Refusal('gone_missing', { what: 'passkey' })
      const { generateAuthenticationOptions } = await webauthn()
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge: await challenges.make('passkey_verify', owner, { subject }),
        timeout,
        allowCredentials: had.map(descriptor),
        userVerification: 'required',
      })
    },
    async finishVerification(owner, answer) {
      const challenge = await challenges.take('passkey_verify', answer, owner)
      if (challenge === undefined) throw failed()
      const row = await passkeys.byCredential(Buffer.from(answer.id, 'base64url'))
      const own = row?.user_id === owner.userId ? row : undefined
      await assertionBy(dependencies, own, answer, {
        challenge: challenge.text,
        userVerification: true,
      })
      return String(challenge.data.subject)
    },
  }
}

/** Throws a `Refusal` where the answer does not fit the passkey, or nobody has it. */
async function assertionBy(
  { passkeys, home }: CeremonyDependencies,
  row: PasskeyRow | undefined,
  answer: AuthenticationResponseJSON,
  options: { readonly challenge: string; readonly userVerification: boolean },
): Promise<{ readonly userVerified: boolean }> {
  if (row === undefined) throw failed()
  const info = await checkedAssertion(answer, { ...options, row, place: home.place() })
  const { newCounter: counter, credentialBackedUp: backedUp, userVerified } = info
  if (!(await passkeys.use(row, { counter, backedUp }))) throw failed()
  return { userVerified }
}

function wishOf(option: string): 'required' | 'preferred' | 'discouraged' {
  return option === 'required' || option === 'discouraged' ? option : 'preferred'
}
