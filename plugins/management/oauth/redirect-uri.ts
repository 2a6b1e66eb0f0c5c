/** Where a provider sends the browser back to: a page of the console at the public address, which no request can name. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { OAuthSource } from '../../services/oauth/index.js'
import type { Options } from '../../services/options/index.js'

export function redirectUriFor(
  { provider, plugin }: Pick<OAuthSource, 'provider' | 'plugin'>,
  options: Options,
): string {
  const option = options.list().find(({ key }) => key === 'ServerAddress')
  const address = (option?.value ?? '').replace(/\/+$/, '')
  if (URL.canParse(address) && /^https?:/i.test(address)) return `${address}/oauth/${provider}`
  // Nobody comes back where nobody is sent away.
  if (plugin.authorize === undefined) return ''
  const reason = 'An admin sets the option ServerAddress first: the provider must know where to.'
  throw new Refusal('conflict', { reason, param: 'ServerAddress' })
}
