/** Keeps which plugins from outside are switched off, and applies that in every process, at the start and on each change. */
import { randomUUID } from 'node:crypto'
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PluginSwitches } from './plugin-switches.js'

export type * from './plugin-switches.js'

/** Of notes that a plugin was loaded again: `<id> <anything>`. Processes that did not do it themselves follow. */
const topic = 'plugin_reload'
const option = 'PluginsOff'

type SwitchesKit = Kit<'catalog' | 'changes' | 'database' | 'options' | 'plugins'>

export default function create({ services, settings, log }: SwitchesKit): PluginSwitches & Life {
  const { catalog, changes, database, options, plugins } = services
  /** Notes of this process. */
  const own = new Set<string>()

  let following: Promise<void> = Promise.resolve()

  /** One after another, so that whoever waits for it finds what an earlier one began complete. */
  function follow(): Promise<void> {
    following = following.then(followOptions)
    return following
  }

  /** Never rejects: what cannot be switched is logged, and the others are. */
  async function followOptions(): Promise<void> {
    const off = new Set(idsIn(settings.string('off')))
    for (const { manifest, state, origin } of catalog.list()) {
      const { id } = manifest
      if (origin === undefined || (state === 'off') === off.has(id)) continue
      try {
        await (off.has(id) ? plugins.switchOff(id) : plugins.switchOn(id))
      } catch (err) {
        log.error({ err, plugin: id }, 'a plugin was not switched')
      }
    }
  }

  async function followReload(note: string): Promise<void> {
    if (own.delete(note)) return
    const [id = ''] = note.split(' ')
    try {
      await plugins.reload(id)
    } catch (err) {
      log.error({ err, plugin: id }, 'a plugin that another process loaded again stays as it was')
    }
  }

  changes.on(topic, async (notes) => {
    for (const note of notes) await followReload(note)
  })

  return {
    async set(id, isOn) {
      const reason = plugins.switchFault(id)
      if (reason !== undefined) throw new Refusal('invalid_field', { reason, param: 'id' })
      await options.change([option], (texts) => {
        const others = idsIn(texts[option]).filter((other) => other !== id)
        return { [option]: JSON.stringify(isOn ? others : [...others, id].sort()) }
      })
      await follow()
    },
    async reload(id) {
      try {
        await plugins.reload(id)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new Refusal('invalid_field', { reason, param: 'id' })
      }
      const note = `${id} ${randomUUID()}`
      own.add(note)
      await database.knex.transaction((trx) => changes.note(trx, topic, note))
    },
    async start() {
      settings.onChange(() => void follow())
      await follow()
    },
  }
}

/** Anything that is no list of texts counts as none. */
function idsIn(text: string | undefined): readonly string[] {
  const read: unknown = JSON.parse(text || '[]')
  return Array.isArray(read) ? read.filter((id) => typeof id === 'string') : []
}
