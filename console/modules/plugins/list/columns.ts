/** Columns of the plugins: who it is, how it fares, what it brings. */

import { h, type VNodeChild } from 'vue'
import type { useI18n } from 'vue-i18n'
import type { Manifest, PluginState, PluginStatus } from '../../../api/plugins.js'
import Dot from '../../../ui/dot.vue'
import type { ListColumns } from '../../../ui/list/list-column.js'
import PluginIcon from '../../../ui/plugin-icon.vue'
import { shippedText } from '../../../ui/shipped-texts.js'
import PluginLink from '../plugin-link.vue'

type Translate = ReturnType<typeof useI18n>['t']

export const tones = {
  discovered: 'info',
  checked: 'quiet',
  created: 'info',
  ready: 'good',
  stopping: 'warn',
  stopped: 'quiet',
  failed: 'bad',
  off: 'quiet',
} as const satisfies Record<PluginState, string>

export function pluginColumns(t: Translate): ListColumns<PluginStatus> {
  const title = (name: string) => t(`plugins.columns.${name}`)
  return [
    { key: 'title', title: title('plugin'), stays: true, minWidth: 220, render: nameCell },
    {
      key: 'kind',
      title: title('kind'),
      width: 130,
      render: ({ manifest }) => t(`plugins.kinds.${manifest.kind}`),
    },
    { key: 'state', title: title('state'), minWidth: 180, render: (row) => stateCell(row, t) },
    {
      key: 'brings',
      title: title('brings'),
      minWidth: 200,
      render: ({ manifest }) => h('span', { class: 'quiet' }, bringsText(manifest, t)),
    },
    { key: 'source', title: title('source'), width: 130, render: (row) => sourceCell(row, t) },
    {
      key: 'version',
      title: title('version'),
      width: 90,
      align: 'right',
      render: ({ manifest }) => h('span', { class: 'figures' }, manifest.version),
    },
  ]
}

function nameCell({ manifest }: PluginStatus): VNodeChild {
  return [
    h('div', { class: 'row', style: { gap: '6px' } }, [
      h(PluginIcon, { icon: manifest.icon }),
      h(PluginLink, { id: manifest.id, style: name }, () => shippedText(manifest.title)),
    ]),
    h('div', { class: 'quiet mono', style: small }, manifest.id),
  ]
}

function stateCell({ state, reason }: PluginStatus, t: Translate): VNodeChild {
  return [
    h(Dot, { tone: tones[state] ?? 'quiet', text: t(`plugins.states.${state}`) }),
    reason && h('div', { style: fault }, reason),
  ]
}

/** An external plugin is named as the operator has named it, where no package does. */
function sourceCell({ origin }: PluginStatus, t: Translate): VNodeChild {
  if (origin === undefined) return h('span', { class: 'quiet' }, t('plugins.builtIn'))
  return h('span', { style: anywhere }, origin.package?.name || origin.entry)
}

function bringsText(manifest: Manifest, t: Translate): string {
  const counts = {
    channelTypes: manifest.channelTypes.length,
    routes: manifest.routes.length,
    settings: manifest.settings.length,
    fields:
      manifest.channelSettings.length +
      manifest.instanceSettings.length +
      manifest.userSettings.length,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => t(`plugins.brings.${what}`, count))
    .join(' · ')
}

const name = { fontWeight: 600, textDecoration: 'none' }
const anywhere = { overflowWrap: 'anywhere' } as const
const small = { fontSize: '12px', overflowWrap: 'anywhere' } as const
const fault = { color: 'var(--bad)', fontSize: '12px', overflowWrap: 'anywhere' } as const
