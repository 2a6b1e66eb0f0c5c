/** What a plugin may do, in lines: before somebody lets it. */
import type { useI18n } from 'vue-i18n'
import type { Manifest } from '../../../api/plugins.js'

type Translate = ReturnType<typeof useI18n>['t']

export function permissionsOf(manifest: Manifest, t: Translate): readonly string[] {
  const { hosts, routes, requires, guards, kind } = manifest
  const lines = [
    ...hosts.map((host) => t('plugins.outside.can.host', { host: hostText(host, t) })),
    ...(kind === 'provider' || kind === 'task' ? [t('plugins.outside.can.keys')] : []),
    ...secretsOf(manifest).map((name) => t('plugins.outside.can.secret', { name })),
    ...requires.map((name) => t('plugins.outside.can.service', { name })),
    ...routes.map(({ method, path, credential }) =>
      t('plugins.outside.can.route', { method, path, who: t(`plugins.credentials.${credential}`) }),
    ),
    ...(guards
      ? [t('plugins.outside.can.guard', { at: t(`plugins.facts.at.${guards.where}`, guards) })]
      : []),
  ]
  return lines.length > 0 ? lines : [t('plugins.outside.can.nothing')]
}

/** A host as the manifest has it, in words. */
export function hostText(host: string, t: Translate): string {
  if (host === 'channel' || host === 'user') return t(`plugins.facts.reach.${host}`)
  const [, scope, setting] = /^(settings|channelSettings)\.(.+)$/.exec(host) ?? []
  if (setting === undefined) return host
  return t(`plugins.facts.reach.${scope === 'settings' ? 'setting' : 'field'}`, { setting })
}

function secretsOf({ settings, channelSettings, instanceSettings, userSettings }: Manifest) {
  return [...settings, ...channelSettings, ...instanceSettings, ...userSettings]
    .filter(({ type }) => type === 'secret')
    .map(({ title }) => title)
}
