/** What a sign-in page needs of other places. What is not switched on and complete is shown as off, and nothing else of it. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OAuthButton } from '../../services/oauth/index.js'
import type { StoredOptions } from './stored-options.js'

interface Place {
  /** Name of the status key that shows whether it is on. */
  readonly on: string
  /** Status key → option. */
  readonly facts: Readonly<Record<string, string>>
  /** Those of them that are numbers. */
  readonly counts?: readonly string[]
}

/** The family has keys of their own for these. */
const places: Readonly<Record<string, Place>> = {
  github: { on: 'github_oauth', facts: { github_client_id: 'GitHubClientId' } },
  discord: { on: 'discord_oauth', facts: { discord_client_id: 'discord.client_id' } },
  linuxdo: {
    on: 'linuxdo_oauth',
    facts: {
      linuxdo_client_id: 'LinuxDOClientId',
      linuxdo_minimum_trust_level: 'LinuxDOMinimumTrustLevel',
    },
    counts: ['linuxdo_minimum_trust_level'],
  },
  telegram: { on: 'telegram_oauth', facts: { telegram_bot_name: 'TelegramBotName' } },
  wechat: { on: 'wechat_login', facts: { wechat_qrcode: 'WeChatAccountQRCodeImageURL' } },
  oidc: {
    on: 'oidc_enabled',
    facts: {
      oidc_client_id: 'oidc.client_id',
      oidc_authorization_endpoint: 'oidc.authorization_endpoint',
    },
  },
}

export function signInFacts(buttons: readonly OAuthButton[], stored: StoredOptions): JsonObject {
  const shown = new Set(buttons.map(({ provider }) => provider))
  const own = Object.entries(places).map(([name, place]) =>
    placeFacts(place, shown.has(name), stored),
  )
  const others = buttons.filter(({ provider }) => !Object.hasOwn(places, provider))
  return {
    ...Object.assign({}, ...own),
    ...(others.length > 0 && { custom_oauth_providers: others.map(customFacts) }),
  }
}

function placeFacts(
  { on, facts: options, counts = [] }: Place,
  isOn: boolean,
  stored: StoredOptions,
) {
  const facts = Object.entries(options).map(([name, option]) => {
    const isCount = counts.includes(name)
    if (!isOn) return [name, isCount ? 0 : ''] as const
    return [name, isCount ? stored.number(option, 0) : stored.text(option)] as const
  })
  return { [on]: isOn, ...Object.fromEntries(facts) }
}

function customFacts({ provider, title, icon, facts }: OAuthButton): JsonObject {
  return { ...facts, slug: provider, name: title, icon }
}
