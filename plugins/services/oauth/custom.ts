/**
 * Providers an admin defined: rows of `oauth_providers`, each with a copy of the plugin `oauth.custom` of its own. They
 * are kept in memory, since there are few, and read again when one changes.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { admits } from './access-rules.js'
import { isReady, type Sources } from './built-in.js'
import type { AccessRule, OAuthSource } from './oauth.js'

export interface CustomDependencies {
  readonly database: Database
  readonly changes: Changes
  readonly secrets: SecretBox
  readonly extensions: Extensions
}

interface Row {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly icon: string
  readonly enabled: boolean
  readonly settings: JsonObject
  readonly secret_sealed: string
}

interface Held {
  readonly row: Row
  /** Absent: it is switched off, or cannot be used. */
  readonly source?: OAuthSource
}

const rowsMax = 200

export function customSources(dependencies: CustomDependencies, log: Log): Sources {
  const { database, changes, secrets, extensions } = dependencies
  const held = new Map<number, Held>()
  let reading: Promise<void> = Promise.resolve()

  changes.on('oauth_providers', (ids) => reread([...ids].map(Number)))

  /** One read at a time, so that an older answer never replaces a newer one. */
  function reread(ids?: readonly number[]): Promise<void> {
    const turn = reading.then(() => read(ids))
    reading = turn.catch(() => {})
    return turn
  }

  async function read(ids?: readonly number[]): Promise<void> {
    const query = database.knex('oauth_providers').orderBy('id').limit(rowsMax)
    const rows: readonly Row[] = await (ids === undefined ? query : query.whereIn('id', [...ids]))
    const made = await Promise.all(rows.map(heldOf))
    for (const id of ids ?? []) held.delete(id)
    for (const one of made) held.set(one.row.id, one)
  }

  async function heldOf(row: Row): Promise<Held> {
    if (!row.enabled) return { row }
    try {
      return { row, source: await sourceOf(row) }
    } catch (err) {
      log.error({ err, provider: row.slug }, 'a sign-in provider of an admin cannot be used')
      return { row }
    }
  }

  async function sourceOf({ id, slug, name, icon, settings, secret_sealed }: Row) {
    const { access_policy, ...values } = settings
    const secret =
      secret_sealed === '' ? '' : secrets.open(`oauth_providers:${id}:secret_sealed`, secret_sealed)
    const plugin = await extensions.oauthOf('custom', { ...values, client_secret: secret })
    const rules = rulesIn(access_policy)
    const source: OAuthSource = {
      provider: slug,
      title: name,
      icon,
      style: 'redirect',
      facts: { client_id: values.client_id ?? '' },
      plugin,
      admits: ({ claims = {} }) => admits(rules, claims),
    }
    return source
  }

  return {
    all: () =>
      [...held.values()]
        .flatMap(({ source }) => source ?? [])
        .filter(({ plugin }) => isReady(plugin))
        .sort((one, other) => (one.provider < other.provider ? -1 : 1)),
    named(provider) {
      const one = [...held.values()].find(({ row }) => row.slug === provider)
      return one && { title: one.row.name }
    },
    start: () => reread(),
  }
}

/** Checked when they were stored. */
function rulesIn(stored: Json | undefined): readonly AccessRule[] {
  return Array.isArray(stored) ? (stored as unknown as readonly AccessRule[]) : []
}
