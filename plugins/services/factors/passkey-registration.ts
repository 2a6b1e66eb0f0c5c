/** The ceremony by which an account gets a passkey. */
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
import { checkRoom, passkeyView } from './passkey-rows.js'
import { checkedAttestation } from './passkey-words.js'

type PasskeyRegistration = Pick<Passkeys, 'beginRegistration' | 'finishRegistration'>

export function passkeyRegistration(dependencies: CeremonyDependencies): PasskeyRegistration {
  const { passkeys, home, settings, challenges } = dependencies
  return {
    async beginRegistration(owner) {
      requireEnabled(settings)
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
      requireEnabled(settings)
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
  }
}

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257] as const

function attachmentOf(preference: string) {
  if (preference === 'platform') return { authenticatorAttachment: 'platform' } as const
  if (preference === 'cross-platform') return { authenticatorAttachment: 'cross-platform' } as const
  return {}
}
