/**
 * Challenges of WebAuthn. The challenge is itself the secret that counts once, so that the authenticator's signed
 * answer brings it back and nothing else has to.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OneTime, OneTimeTaken } from '../one-time/index.js'
import type { SessionOwner } from './factors.js'

type Ceremony = 'passkey_register' | 'passkey_login' | 'passkey_verify'

export const challengeSeconds = 300

export interface Challenges {
  /** The bytes to be signed. With an owner it counts for them in their session alone. */
  make(kind: Ceremony, owner?: SessionOwner, data?: JsonObject): Promise<Uint8Array<ArrayBuffer>>
  /** Takes the challenge an answer was made for. Undefined: it was not made here for them, was used, or is too old. */
  take(kind: Ceremony, answer: Answer, owner?: SessionOwner): Promise<Challenge | undefined>
}

interface Challenge {
  readonly text: string
  readonly data: JsonObject
}

interface Answer {
  readonly response: { readonly clientDataJSON: string }
}

export function passkeyChallenges(oneTime: OneTime): Challenges {
  return {
    async make(kind, owner, data) {
      const { userId, sessionId } = owner ?? {}
      const seconds = challengeSeconds
      const text = await oneTime.issue({ kind, userId, sessionId, data, seconds })
      return Uint8Array.from(Buffer.from(text, 'base64url'))
    },
    async take(kind, answer, owner) {
      const text = challengeIn(answer)
      if (text === undefined) return undefined
      const taken = await oneTime.take(kind, text)
      return taken && isFor(taken, owner) ? { text, data: taken.data } : undefined
    },
  }
}

function isFor({ userId, sessionId }: OneTimeTaken, owner: SessionOwner | undefined): boolean {
  return userId === owner?.userId && sessionId === owner?.sessionId
}

function challengeIn({ response }: Answer): string | undefined {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text)
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
