/** Whom a notice goes to and how: what a user set, opened, as the notifier of their way takes it. */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'
import type { Notice, NoticeOutcome, Notifier } from '../../../kernel/contract/notifier.js'
import type { Extensions } from '../../../kernel/contract/services/extensions.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'

const wayDefault = 'email'

export interface Person {
  readonly id: number
  readonly status: number
  readonly email: string
  readonly setting: JsonObject
  /** Sealed, by name of the field. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Undefined: there is no such user any more. */
export async function personOf(knex: Knex, id: number): Promise<Person | undefined> {
  return knex('users')
    .select<Person[]>('id', 'status', 'email', 'setting', 'secrets')
    .where({ id })
    .whereNull('deleted_at')
    .first()
}

export function wayOf({ setting }: Pick<Person, 'setting'>): string {
  const { notify_type } = setting
  return typeof notify_type === 'string' && notify_type !== '' ? notify_type : wayDefault
}

export const nameOfWay = ({ id }: Pick<Manifest, 'id'>) => id.slice('notifier.'.length)

/** Place of a sealed secret of a user. */
export const secretPlace = (userId: number, name: string) => `users:${userId}:secrets.${name}`

export function secretFieldsOf(extensions: Pick<Extensions, 'list'>): readonly SettingField[] {
  const fields = extensions.list('notifier').flatMap(({ userSettings }) => userSettings)
  return fields.filter(({ type }) => type === 'secret')
}

/** The fields of a way as its notifier takes them. The address for notices is that of the account, unless there is one. */
export function targetOf(
  person: Person,
  { userSettings }: Pick<Manifest, 'userSettings'>,
  secrets: SecretBox,
): JsonObject {
  const values = userSettings.map(({ name, type, default: usual }) => {
    if (type !== 'secret') return [name, person.setting[name] ?? usual] as const
    const sealed = person.secrets[name]
    // What stands open still is moved by `seal-plain.ts`; until then it serves.
    if (sealed === undefined) return [name, person.setting[name] ?? ''] as const
    return [name, secrets.open(secretPlace(person.id, name), sealed)] as const
  })
  const target = Object.fromEntries(values)
  return target.notification_email === '' ? { ...target, notification_email: person.email } : target
}

export interface Carriers {
  /** By the way the person chose; refused where it cannot be used. */
  toPerson(person: Person | undefined, notice: Notice): Promise<NoticeOutcome>
  toAddress(address: string, notice: Notice): Promise<NoticeOutcome>
  /** By webhook to an address the person named, signed with the secret of their own. */
  toReceiver(person: Person | undefined, address: string, notice: Notice): Promise<NoticeOutcome>
}

export function createCarriers(extensions: Extensions, secrets: SecretBox): Carriers {
  async function handOver(
    name: string,
    notice: Notice,
    target: (manifest: Manifest) => JsonObject,
  ): Promise<NoticeOutcome> {
    const manifest = extensions.list('notifier').find((one) => nameOfWay(one) === name)
    if (manifest === undefined) return refused(`There is no way "${name}" to send notices.`)
    const notifier: Notifier = await extensions.notifier(name)
    if (notifier.ready?.() === false) return refused(`${manifest.title} is not set up here.`)
    const fields = target(manifest)
    const fault = notifier.faultOf?.(fields)
    return fault === undefined ? notifier.deliver(notice, fields) : refused(fault)
  }

  return {
    async toPerson(person, notice) {
      const refusal = refusalOf(person)
      if (refusal !== undefined) return refusal
      return handOver(wayOf(person!), notice, (manifest) => targetOf(person!, manifest, secrets))
    },
    toAddress: (address, notice) =>
      handOver('email', notice, () => ({ notification_email: address })),
    async toReceiver(person, address, notice) {
      const refusal = refusalOf(person)
      if (refusal !== undefined) return refusal
      return handOver('webhook', notice, (manifest) => {
        const { webhook_secret = '' } = targetOf(person!, manifest, secrets)
        return { webhook_url: address, webhook_secret }
      })
    },
  }
}

function refusalOf(person: Person | undefined): NoticeOutcome | undefined {
  if (person === undefined) return refused('The account is gone.')
  return person.status === 1 ? undefined : refused('The account is disabled.')
}

export function refused(reason: string): NoticeOutcome {
  return { kind: 'refused', reason }
}
