/**
 * What users set about their notices. Secrets stand sealed in a column of their own and are never read back; everything
 * else stands in the user's settings, which other areas write too, so only the members named are touched.
 */
import type { Knex } from 'knex'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'
import type { Notifier } from '../../../kernel/contract/notifier.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { UserSetting } from './notifications.js'
import {
  nameOfWay,
  type Person,
  personOf,
  secretFieldsOf,
  secretPlace,
  targetOf,
  wayOf,
} from './people.js'

export interface SettingDependencies {
  readonly knex: Knex
  readonly secrets: SecretBox
  readonly extensions: Extensions
  /** Where a user set none. */
  thresholdDefault(): number
}

interface Judge {
  readonly manifest: Manifest
  readonly notifier: Notifier
}

export function createUserSettings({
  knex,
  secrets,
  extensions,
  thresholdDefault,
}: SettingDependencies) {
  const manifests = () => extensions.list('notifier')
  const secretFields = () => secretFieldsOf(extensions)

  async function read(userId: number): Promise<UserSetting> {
    const person = await personOf(knex, userId)
    if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
    const fields = manifests().flatMap(({ userSettings }) => userSettings)
    const values = {
      ...Object.fromEntries(fields.map((field) => [field.name, field.default ?? ''])),
      notify_type: wayOf(person),
      quota_warning_threshold: thresholdDefault(),
      sign_in_notices: true,
      ...person.setting,
      ...Object.fromEntries(secretFields().map(({ name }) => [name, ''])),
    }
    const stored = secretFields().filter(({ name }) => person.setting[name])
    const names = new Set([...Object.keys(person.secrets), ...stored.map(({ name }) => name)])
    return { values, secrets: [...names].sort() }
  }

  async function change(userId: number, changes: JsonObject): Promise<void> {
    const judges = await judgesOf(changes)
    await knex.transaction(async (trx) => {
      await trx('users').select('id').where({ id: userId }).forNoKeyUpdate()
      const person = await personOf(trx, userId)
      if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
      const changed = applied(person, changes)
      for (const judge of judges) assertUsable(judge, changed)
      await trx('users')
        .where({ id: userId })
        .update({ setting: changed.setting, secrets: changed.secrets })
    })
  }

  /** The notifiers concerned: those of the fields sent, and that of the way chosen. */
  async function judgesOf(changes: JsonObject): Promise<readonly Judge[]> {
    const concerned = manifests().filter(
      (manifest) =>
        manifest.userSettings.some(({ name }) => changes[name] !== undefined) ||
        nameOfWay(manifest) === changes.notify_type,
    )
    return Promise.all(
      concerned.map(async (manifest) => {
        const name = nameOfWay(manifest)
        return { manifest, notifier: await extensions.notifier(name) }
      }),
    )
  }

  function applied(person: Person, changes: JsonObject): Person {
    const isSecret = new Set(secretFields().map(({ name }: SettingField) => name))
    const setting: Record<string, Json | undefined> = { ...person.setting }
    const sealed: Record<string, string> = { ...person.secrets }
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || (isSecret.has(name) && value === '')) continue
      if (value === null) {
        delete setting[name]
        delete sealed[name]
      } else if (isSecret.has(name)) {
        delete setting[name]
        sealed[name] = secrets.seal(secretPlace(person.id, name), String(value))
      } else setting[name] = value
    }
    return { ...person, setting, secrets: sealed }
  }

  /** Of a way that is not the chosen one, fields may still be missing, but none may be wrong. */
  function assertUsable({ manifest, notifier }: Judge, person: Person): void {
    const target = targetOf(person, manifest, secrets)
    const fault = notifier.faultOf?.(target)
    if (fault === undefined) return
    const param = /^\w+/.exec(fault)?.[0] ?? ''
    const isChosen = wayOf(person) === nameOfWay(manifest)
    // The address of the account may come later.
    const mayMiss = !isChosen || param === 'notification_email'
    if (mayMiss && (target[param] ?? '') === '') return
    throw new Refusal('invalid_field', { reason: fault, param })
  }

  return { read, change }
}
