/** Texts an admin writes for everybody, and the lists the console shows beside them. */

import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { text, uptimeGroups } from './responses.js'
import { checkShape, shapes } from './shapes.js'

const texts = ['notice', 'about', 'home', 'userAgreement', 'privacyPolicy'] as const

interface Group {
  readonly categoryName: string
}

export default function create({ services, settings }: Kit<'options'>): Management {
  const { options } = services
  for (const [key, shape] of Object.entries(shapes)) {
    options.check(key, (text) => checkShape(key, shape, text))
  }

  /** Their monitors are never called from here: an address of a list is no reason to call it for every visitor. */
  function uptime() {
    if (!settings.boolean('uptimeEnabled')) return []
    const groups: readonly Group[] = JSON.parse(settings.string('uptimeGroups'))
    return groups.map(({ categoryName }) => ({ categoryName, monitors: [] }))
  }

  return {
    routes: {
      ...Object.fromEntries(
        texts.map((name) => [name, { response: text, handle: () => settings.string(name) }]),
      ),
      uptime: { response: uptimeGroups, handle: uptime },
    },
  }
}
