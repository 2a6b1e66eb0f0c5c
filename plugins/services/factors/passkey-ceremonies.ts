/** The ceremonies of WebAuthn: a passkey is added, somebody signs in with one, or shows in a session who they are. */
import { hash } from 'node:crypto'
import type { AuthenticationResponseJSON, AuthenticatorTransport } from '@simplewebauthn/server'
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OneTime } from '../one-time/index.js'
import type { Passkeys } from './factors.js'
import { challengeSeconds, passkeyChallenges } from './passkey-challenges.js'
import type { PasskeyHome } from './passkey-home.js'
import { checkRoom, type PasskeyRow, type PasskeyRows, passkeyView } from './passkey-rows.js'
import { checkedAssertion, checkedAttestation } from './passkey-words.js'

const timeout = challengeSeconds * 1000

export interface CeremonyDependencies {
  readonly passkeys: PasskeyRows
  readonly home: PasskeyHome
  readonly settings: Settings
  readonly oneTime: OneTime
}

/** Loaded when somebody uses a passkey: it brings much that nothing else needs. */
const webauthn = () => import('@simplewebauthn/server')

/** All but what takes passkeys away. */
export type PasskeyCeremonies = Omit<Passkeys, 'delete' | 'deleteAll' | 'requireEnough'>

export function passkeyCeremonies(dependencies: CeremonyDependencies): PasskeyCeremonies {
  const { passkeys, home, settings } = dependencies
  const challenges = passkeyChallenges(dependencies.oneTime)

  function requireEnabled(): void {
    if (!settings.boolean('passkeys')) throw new Refusal('feature_off', { what: 'Passkeys' })
  }

  async function assertionBy(
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

  return {
    enabled: () => settings.boolean('passkeys'),
    list: async (userId) => (await passkeys.list(userId)).map(passkeyView),
    async beginRegistration(owner) {
      requireEnabled()
      const { name, rpId } = home.place()
      const had = await passkeys.list(owner.userId)
      checkRoom(had)
      const { generateRegistrationOptions } = await webauthn()
      return generateRegistrationOptions({
        rpName: name,
        rpID: rpId,
        userName: owner.username,
        userDisplayName: owner.username,
        userID: Uint8Array.from(handleOf(owner.userId)),
        challenge: await challenges.make('passkey_register', owner),
        timeout,
        attestationType: 'none',
        excludeCredentials: had.map(descriptor),
        authenticatorSelection: {
          residentKey: 'required',
          userVerification: 'required',
          ...attachmentOf(settings.string('attachment')),
        },
        supportedAlgorithmIDs: [...algorithms],
      })
    },
    async finishRegistration(owner, answer, name, then) {
      requireEnabled()
      const challenge = await challenges.take('passkey_register', answer, owner)
      if (challenge === undefined) throw failed()
      const place = home.place()
      const info = await checkedAttestation(answer, {
        challenge: challenge.text,
        place,
        algorithms,
      })
      const { credential, credentialDeviceType, credentialBackedUp } = info
      const passkey = {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: answer.response.transports ?? [],
        name,
        deviceType: credentialDeviceType,
        backedUp: credentialBackedUp,
      }
      return passkeyView(await passkeys.add(owner.userId, passkey, then))
    },
    async beginLogin() {
      requireEnabled()
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
      requireEnabled()
      const challenge = await challenges.take('passkey_login', answer)
      if (challenge === undefined) throw new Refusal('sign_in_expired')
      const row = await passkeys.byCredential(Buffer.from(answer.id, 'base64url'))
      // The authenticator names the passkey's user; who holds another's does not become them.
      const named = answer.response.userHandle
      if (row === undefined || named !== handleOf(row.user_id).toString('base64url')) throw failed()
      const userVerification = settings.string('userVerification') === 'required'
      const options = { challenge: challenge.text, userVerification }
      return { userId: row.user_id, ...(await assertionBy(row, answer, options)) }
    },
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
      await assertionBy(own, answer, { challenge: challenge.text, userVerification: true })
      return String(challenge.data.subject)
    },
    async rename(userId, id, name) {
      const row = await passkeys.rename(userId, id, name)
      return row && passkeyView(row)
    },
  }
}

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257] as const

/** Names a user to authenticators without telling them anything, and stays the same for ever. */
function handleOf(userId: number): Buffer {
  return hash('sha256', `user of waybill ${userId}`, 'buffer')
}

function descriptor({ credential_id, transports }: PasskeyRow) {
  const known = transports as AuthenticatorTransport[]
  return { id: credential_id.toString('base64url'), transports: known }
}

function attachmentOf(preference: string) {
  if (preference === 'platform') return { authenticatorAttachment: 'platform' } as const
  if (preference === 'cross-platform') return { authenticatorAttachment: 'cross-platform' } as const
  return {}
}

function wishOf(option: string): 'required' | 'preferred' | 'discouraged' {
  return option === 'required' || option === 'discouraged' ? option : 'preferred'
}

function failed(): Refusal {
  return new Refusal('verification_failed')
}
