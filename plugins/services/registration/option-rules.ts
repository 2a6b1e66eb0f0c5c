/** Switches that need something first cannot be turned before it is there. */
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Notifications } from '../notifications/index.js'
import type { Options } from '../options/index.js'
import { domainsOf, faultOfDomains } from './address-rules.js'

export interface OptionRuleDependencies {
  readonly options: Options
  readonly notifications: Pick<Notifications, 'mailReady'>
  readonly settings: Settings
}

export function ruleOptions({ options, notifications, settings }: OptionRuleDependencies): void {
  options.check('EmailVerificationEnabled', (text) => {
    if (text === 'true' && !notifications.mailReady()) {
      fail('EmailVerificationEnabled', 'needs a mail server first')
    }
  })
  options.check('EmailDomainRestrictionEnabled', (text) => {
    if (text === 'true' && domainsOf(settings.string('domains')).length === 0) {
      fail('EmailDomainRestrictionEnabled', 'needs domains in EmailDomainWhitelist first')
    }
  })
  options.check('EmailDomainWhitelist', (text) => {
    const fault = faultOfDomains(text)
    if (fault !== undefined) fail('EmailDomainWhitelist', `is not sound: ${fault}`)
    if (settings.boolean('restrictsDomains') && domainsOf(text).length === 0) {
      fail('EmailDomainWhitelist', 'cannot be empty while EmailDomainRestrictionEnabled is on')
    }
  })
}

function fail(key: string, fault: string): never {
  throw new Refusal('invalid_field', { reason: `${key} ${fault}.`, param: key })
}
