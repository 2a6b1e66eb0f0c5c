/** The ceremonies of WebAuthn: a passkey is added, somebody signs in with one, or shows in a session who they are. */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { OneTime } from '../one-time/index.js'
import type { Passkeys } from './factors.js'
import { passkeyLogin, passkeyVerification } from './passkey-assertions.js'
import { passkeyChallenges } from './passkey-challenges.js'
import type { PasskeyHome } from './passkey-home.js'
import { passkeyRegistration } from './passkey-registration.js'
import { type PasskeyRows, passkeyView } from './passkey-rows.js'

export interface CeremoniesDependencies {
  readonly passkeys: PasskeyRows
  readonly home: PasskeyHome
  readonly settings: Settings
  readonly oneTime: OneTime
}

/** All but what takes passkeys away. */
export type PasskeyCeremonies = Omit<Passkeys, 'delete' | 'deleteAll' | 'requireEnough'>

export function passkeyCeremonies(dependencies: CeremoniesDependencies): PasskeyCeremonies {
  const { passkeys, settings } = dependencies
  const parts = { ...dependencies, challenges: passkeyChallenges(dependencies.oneTime) }
  return {
    enabled: () => settings.boolean('passkeys'),
    list: async (userId) => (await passkeys.list(userId)).map(passkeyView),
    ...passkeyRegistration(parts),
    ...passkeyLogin(parts),
    ...passkeyVerification(parts),
    async rename(userId, id, name) {
      const row = await passkeys.rename(userId, id, name)
      return row && passkeyView(row)
    },
  }
}
