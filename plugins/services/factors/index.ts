/** Second factors: an app's codes, recovery codes for the day it is lost, and passkeys (E4). */
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Factors } from './factors.js'
import { passkeyCeremonies } from './passkey-ceremonies.js'
import { passkeyHome } from './passkey-home.js'
import { guardedPasskeys } from './passkey-only.js'
import { passkeyRows } from './passkey-rows.js'
import { recoveryCodes } from './recovery-codes.js'
import { totpFactor } from './totp.js'

export type * from './factors.js'

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<'database' | 'secrets' | 'options' | 'one-time' | 'system'>): Factors {
  const { database, secrets, options, system } = services
  const { knex } = database
  const codes = recoveryCodes(secrets.derive('recovery codes'))
  const home = passkeyHome({ settings, option, port: system.environment.port })
  const totp = totpFactor({ database, secrets, codes, clock, issuer: home.name })
  const passkeys = passkeyRows({ knex, clock, log })

  options.check('passkey.enabled', async (text) => {
    if (text !== 'false') return
    const dependent = await knex('users')
      .where('password_off', true)
      .whereNull('deleted_at')
      .first('id')
    if (dependent === undefined) return
    const reason = 'passkey.enabled cannot be switched off while accounts sign in by passkey alone.'
    throw new Refusal('conflict', { reason, param: 'passkey.enabled' })
  })

  function option(key: string): string {
    return options.list().find((one) => one.key === key)?.value ?? ''
  }

  return {
    ...totp,
    async of(userId) {
      const [app, { length }] = await Promise.all([totp.totp(userId), passkeys.list(userId)])
      return { totp: app.enabled, passkeys: length }
    },
    async remove(userId, which, trx) {
      if (which !== 'passkeys') await totp.remove(userId, trx)
      if (which === 'totp') return
      await passkeys.removeAll(userId, trx)
      // Whoever lost their passkeys comes in by password again, or by a new one sent to their address.
      await trx('users').where('id', userId).update({ password_off: false })
    },
    passkeys: {
      ...passkeyCeremonies({ passkeys, home, settings, oneTime: services['one-time'] }),
      ...guardedPasskeys(passkeys),
    },
  }
}
