/** Responses of authenticators, checked by the library; whatever is wrong with one is the same refusal. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PasskeyPlace } from './passkey-home.js'
import type { PasskeyRow } from './passkey-rows.js'

interface Expected {
  readonly challenge: string
  readonly place: PasskeyPlace
}

/** Adding a passkey always requires PIN or fingerprint: without, its owner could verify nothing with it later. */
export function checkedAttestation(
  response: RegistrationResponseJSON,
  { challenge, place, algorithms }: Expected & { readonly algorithms: readonly number[] },
) {
  return refusing(async () => {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    await requireNoCertificates(response)
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: place.origins,
      expectedRPID: place.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    })
    return registrationInfo
  })
}

export function checkedAssertion(
  response: AuthenticationResponseJSON,
  options: Expected & { readonly row: PasskeyRow; readonly userVerification: boolean },
) {
  const { challenge, place, row, userVerification } = options
  return refusing(async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: place.origins,
      expectedRPID: place.rpId,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(row.public_key),
        // Compared where the new one is stored, so that of two at once only one can be right.
        counter: 0,
      },
      requireUserVerification: userVerification,
    })
    return verified ? authenticationInfo : undefined
  })
}

/**
 * No attestation was requested, so browsers send none or the passkey's own signature. Certificates would have the
 * library fetch what a stranger wrote into them.
 */
async function requireNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const bytes = Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))
  const attestation = decodeAttestationObject(bytes)
  const format = attestation.get('fmt')
  const own = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !own) throw new Error('an attestation nobody requested')
}

/** The library throws at anything malformed. */
async function refusing<T>(check: () => Promise<T | undefined>): Promise<T> {
  const found = await check().catch((cause) => {
    throw new Refusal('verification_failed', {}, { cause })
  })
  if (found === undefined) throw new Refusal('verification_failed')
  return found
}
