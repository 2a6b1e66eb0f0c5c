/** Signing in by another place: which providers there are, plugins and those an admin defined, and who is bound to them. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { builtInSources } from './built-in.js'
import { customSources } from './custom.js'
import type { OAuth, OAuthBinding } from './oauth.js'

export type * from './oauth.js'

/** More than there are providers: a user has one binding of each. */
const bindingsMax = 300

interface Row {
  readonly provider: string
  readonly name: string
  readonly created_at: Date
}

export default function create({
  services,
  log,
}: Kit<'database' | 'changes' | 'secrets' | 'extensions' | 'catalog' | 'options'>): OAuth & Life {
  const { knex } = services.database
  const builtIn = builtInSources(services, log)
  const custom = customSources(services, log)

  /** Of a provider that is switched off too, so that its bindings keep their name. */
  function named(provider: string) {
    return builtIn.named(provider) ?? custom.named(provider) ?? { title: provider }
  }

  async function bindings(userId: number): Promise<readonly OAuthBinding[]> {
    const rows = await knex('oauth_identities')
      .select<Row[]>('provider', 'name', 'created_at')
      .where('user_id', userId)
      .orderBy('provider')
      .limit(bindingsMax)
    return rows.map(({ provider, name, created_at }) => ({
      provider,
      ...named(provider),
      name,
      createdAt: Math.floor(created_at.getTime() / 1000),
    }))
  }

  return {
    buttons: () =>
      [...builtIn.all(), ...custom.all()].map(({ plugin: _, admits: __, ...button }) => button),
    bindings,
    source(provider) {
      const found = [...builtIn.all(), ...custom.all()].find((one) => one.provider === provider)
      if (found !== undefined) return found
      throw new Refusal('oauth_provider_unknown', { provider: provider.slice(0, 64) })
    },
    reserved: (slug) => paths.has(slug) || builtIn.named(slug) !== undefined,
    async start() {
      await builtIn.start()
      await custom.start()
    },
  }
}

/** What stands at the place of a provider's name in an address. */
const paths: ReadonlySet<string> = new Set(['state', 'providers', 'email', 'bind', 'custom'])
