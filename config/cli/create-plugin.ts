/** Creates the plugin of a folder as the gateway would, with the defaults of its settings. What is wrong goes to standard error. */
import { pathToFileURL } from 'node:url'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { importCreate, open } from '../../kernel/registry/discovery.js'
import { createIsolated } from '../../kernel/registry/isolated/isolated.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { resolveOwnName } from '../../kernel/registry/own-copy.js'
import { faultOfShape } from '../../kernel/registry/shape.js'
import { systemClock as clock } from '../../kernel/schedule/system-clock.js'

const [folder = '.', formats = '', place] = process.argv.slice(2)
const nothing = () => {}
const unreachable = async () => {
  throw new Error('Nobody is called while a plugin is checked.')
}

/** A service of which any member can be read and called, and nothing happens. */
const standIn: unknown = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : standIn),
  apply: () => standIn,
})

const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

async function created(): Promise<string | undefined> {
  resolveOwnName()
  const found = await open(pathToFileURL(`${folder}/`))
  const manifest = readManifest(found.text, found.where)
  const settings = declaredSettings(manifest)
  const known = new Set(formats.split(','))
  if (place === 'thread') {
    const entry = new URL(manifest.entry, pathToFileURL(found.where)).href
    const kit = { settings }
    const made = createIsolated({ manifest, entry, kit, clock, log, onChange: nothing })
    return faultOfShape(manifest, await made, known)
  }
  const create = await importCreate(found, manifest)
  const kit = {
    ...{ settings, clock, log, fetch: unreachable, dial: unreachable },
    services: Object.fromEntries(manifest.requires.map((name) => [name, standIn])),
  }
  return faultOfShape(manifest, create(kit), known)
}

try {
  const fault = await created()
  if (fault !== undefined) throw new Error(`${fault}.`)
  process.exit(0)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
