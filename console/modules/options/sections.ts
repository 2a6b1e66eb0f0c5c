/**
 * Where an option stands on the page: a section people look in, and within it a group under one heading. What no line
 * here knows, such as the settings of a plugin from outside, is still shown, under the title of its plugin.
 */
import type { Option, OptionPlugin } from '../../api/options.js'

export const sectionIds = [
  'general',
  'looks',
  'pages',
  'joining',
  'providers',
  'notices',
  'money',
  'limits',
  'routing',
  'health',
  'relay',
  'tasks',
  'others',
] as const

export type SectionId = (typeof sectionIds)[number]

export interface OptionGroup {
  /** A word of this file, or the id of a plugin. */
  readonly id: string
  readonly section: SectionId
  /** Title of the plugin, in English. */
  readonly title: string
  readonly options: readonly Option[]
}

const currency = 'currency'
const site = 'site'
const looks = 'looks'

/** Options that do not stand with the others of their plugin. */
const groupOfKey: Readonly<Record<string, string>> = {
  SystemName: site,
  ServerAddress: site,
  TopUpLink: site,
  'general_setting.docs_link': site,
  Logo: looks,
  Footer: looks,
  Chats: looks,
  HeaderNavModules: looks,
  SidebarModulesAdmin: looks,
  DefaultCollapseSidebar: looks,
  'general_setting.quota_display_type': currency,
  'general_setting.custom_currency_symbol': currency,
  'general_setting.custom_currency_exchange_rate': currency,
  USDExchangeRate: currency,
  DisplayInCurrencyEnabled: currency,
  QuotaPerUnit: currency,
  QuotaRemindThreshold: 'service.notifications',
}

const sectionOfGroup: Readonly<Record<string, SectionId>> = {
  [site]: 'general',
  'management.status': 'general',
  'management.setup': 'general',
  'management.data': 'general',
  'management.options': 'general',
  'service.plugin-switches': 'general',
  'service.usage-log': 'general',
  'service.recordings': 'general',
  [looks]: 'looks',
  'management.pages': 'pages',
  'service.registration': 'joining',
  'management.session': 'joining',
  'service.factors': 'joining',
  'service.identity': 'joining',
  'service.challenge': 'joining',
  'service.notifications': 'notices',
  'service.account-notices': 'notices',
  'service.margin-alerts': 'notices',
  [currency]: 'money',
  'service.pricing': 'money',
  'management.prices': 'money',
  'service.payments': 'money',
  'service.auto-topup': 'money',
  'service.receipts': 'money',
  'service.subscriptions': 'money',
  'service.throttle': 'limits',
  'management.tokens': 'limits',
  'service.routing': 'routing',
  'service.affinity': 'routing',
  'service.health': 'health',
  'service.recovery': 'health',
  'service.channels': 'relay',
  'service.token-counts': 'relay',
  'service.tasks': 'tasks',
  'service.task-storage': 'tasks',
}

const sectionOfKind: Readonly<Record<string, SectionId>> = {
  oauth: 'providers',
  notifier: 'notices',
  payment: 'money',
  stage: 'relay',
  endpoint: 'relay',
  format: 'relay',
  operation: 'relay',
  provider: 'relay',
}

/** In the order of the sections, the table above, and the manifests. */
export function groupsOf(
  options: readonly Option[],
  plugins: readonly OptionPlugin[],
): readonly OptionGroup[] {
  const titles = new Map(plugins.map(({ id, title }) => [id, title]))
  const places = placesIn(plugins)
  const sorted = [...options].sort(
    (one, other) => (places.get(one.key) ?? 0) - (places.get(other.key) ?? 0),
  )
  const byGroup = new Map<string, Option[]>()
  for (const option of sorted) {
    const id = groupOfKey[option.key] ?? option.plugin
    byGroup.set(id, [...(byGroup.get(id) ?? []), option])
  }
  const groups = [...byGroup].map(([id, members]) => ({
    id,
    section: sectionOf(id),
    title: titles.get(id) ?? id,
    options: members,
  }))
  return groups.sort((one, other) => rankOf(one) - rankOf(other))
}

function placesIn(plugins: readonly OptionPlugin[]): ReadonlyMap<string, number> {
  const keys = plugins.flatMap(({ id, settings = [] }) =>
    settings.map(({ name, option }) => option ?? `${id}.${name}`),
  )
  return new Map(keys.map((key, place) => [key, place]))
}

function sectionOf(group: string): SectionId {
  return sectionOfGroup[group] ?? sectionOfKind[group.split('.')[0] ?? ''] ?? 'others'
}

const known = Object.keys(sectionOfGroup)

function rankOf({ id, section }: OptionGroup): number {
  const within = known.indexOf(id)
  return sectionIds.indexOf(section) * 1_000 + (within < 0 ? known.length : within)
}
