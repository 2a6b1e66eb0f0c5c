/** A time zone nobody knows is not stored. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../options/index.js'
import { isZone } from './calendar.js'

const zoneOption = 'subscription_setting.time_zone'

export function ruleOptions(options: Pick<Options, 'check'>): void {
  options.check(zoneOption, (text) => {
    if (isZone(text.trim())) return
    const reason = `${zoneOption} must be the name of a time zone, as "UTC" or "Europe/Berlin".`
    throw new Refusal('invalid_field', { reason, param: zoneOption })
  })
}
