/**
 * What users set about their notices. Secrets stand sealed in a column of their own and are never read back; everything
 * else stands in the user's settings, which other areas write too, so only the members named are touched.
 */
import type { Knex } from 'knex'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Manifest } from '../../../kernel/contract/manifest.js'
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

export interface UserSettings {
  read(userId: number): Promise<UserSetting>
  change(userId: number, changes: JsonObject): Promise<void>
}

interface Judge {
  readonly manifest: Manifest
  readonly notifier: Notifier
}

export function createUserSettings(dependencies: SettingDependencies): UserSettings {
  return {
    read: (userId) => readSetting(userId, dependencies),
    change: (userId, changes) => changeSetting(userId, changes, dependencies),
  }
}

async function readSetting(
  userId: number,
  { knex, extensions, thresholdDefault }: SettingDependencies,
): Promise<UserSetting> {
  const person = await personOf(knex, userId)
  if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
  const fields = extensions.list('notifier').flatMap(({ userSettings }) => userSettings)
  const secretFields = secretFieldsOf(extensions)
  const values = {
    ...Object.fromEntries(fields.map((field) => [field.name, field.default ?? ''])),
    notify_type: wayOf(person),
    quota_warning_threshold: thresholdDefault(),
    sign_in_notices: true,
    ...person.setting,
    ...Object.fromEntries(secretFields.map(({ name }) => [name, ''])),
  }
  const stored = secretFields.filter(({ name }) => person.setting[name])
  const names = new Set([...Object.keys(person.secrets), ...stored.map(({ name }) => name)])
  return { values, secrets: [...names].sort() }
}

async function changeSetting(
  userId: number,
  changes: JsonObject,
  { knex, extensions, secrets }: SettingDependencies,
): Promise<void> {
  const judges = await judgesOf(changes, extensions)
  await knex.transaction(async (trx) => {
    await trx('users').select('id').where({ id: userId }).forNoKeyUpdate()
    const person = await personOf(trx, userId)
    if (person === undefined) throw new Refusal('gone_missing', { what: 'user' })
    const changed = applied(person, changes, { extensions, secrets })
    for (const judge of judges) assertUsable(judge, changed, secrets)
    await trx('users')
      .where({ id: userId })
      .update({ setting: changed.setting, secrets: changed.secrets })
  })
}

/** The notifiers concerned: those of the fields sent, and that of the way chosen. */
async function judgesOf(changes: JsonObject, extensions: Extensions): Promise<readonly Judge[]> {
  const concerned = extensions
    .list('notifier')
    .filter(
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

function applied(
  person: Person,
  changes: JsonObject,
  { extensions, secrets }: Pick<SettingDependencies, 'extensions' | 'secrets'>,
): Person {
  const isSecret = new Set(secretFieldsOf(extensions).map(({ name }) => name))
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
function assertUsable({ manifest, notifier }: Judge, person: Person, secrets: SecretBox): void {
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
