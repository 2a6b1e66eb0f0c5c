/** The challenge is switched on once both keys are there, and they stay while it is on. */
import type { Settings } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../options/index.js'

export function ruleOptions(options: Pick<Options, 'check'>, settings: Settings): void {
  options.check('TurnstileCheckEnabled', (text) => {
    const ready = settings.string('siteKey') !== '' && settings.string('secretKey') !== ''
    if (text === 'true' && !ready) {
      const fault = 'needs TurnstileSiteKey and TurnstileSecretKey first'
      fail('TurnstileCheckEnabled', fault)
    }
  })
  options.check('TurnstileSiteKey', (text) => {
    if (text === '' && settings.boolean('enabled')) {
      fail('TurnstileSiteKey', 'cannot be empty while TurnstileCheckEnabled is on')
    }
  })
  options.check('TurnstileVerifyUrl', (text) => {
    if (!isHttp(text)) fail('TurnstileVerifyUrl', 'must be an http or https address')
  })
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function fail(key: string, fault: string): never {
  throw new Refusal('invalid_field', { reason: `${key} ${fault}.`, param: key })
}
