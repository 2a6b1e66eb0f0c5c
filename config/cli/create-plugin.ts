/** Creates the plugin of a folder as the gateway would, with the defaults of its settings. What is wrong goes to standard error. */
import { pathToFileURL } from 'node:url'
import { declaredSettings } from '../../kernel/registry/declared-settings.js'
import { importCreate, open } from '../../kernel/registry/discovery.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { resolveOwnName } from '../../kernel/registry/own-copy.js'
import { faultOfShape } from '../../kernel/registry/shape.js'

const formats = new Set(['chat', 'messages', 'generative', 'responses'])
const nothing = () => {}
const unreachable = async () => {
  throw new Error('Nobody is called while a plugin is checked.')
}

/** A service of which any member can be read and called, and nothing happens. */
const standIn: unknown = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : standIn),
  apply: () => standIn,
})

async function created(folder: string): Promise<string | undefined> {
  resolveOwnName()
  const found = await open(pathToFileURL(`${folder}/`))
  const manifest = readManifest(found.text, found.where)
  const create = await importCreate(found, manifest)
  const kit = {
    settings: declaredSettings(manifest),
    clock: { now: Date.now, monotonic: () => performance.now(), after: () => nothing },
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    fetch: unreachable,
    dial: unreachable,
    services: Object.fromEntries(manifest.requires.map((name) => [name, standIn])),
  }
  return faultOfShape(manifest, create(kit), formats)
}

try {
  const fault = await created(process.argv[2] ?? '.')
  if (fault !== undefined) throw new Error(`${fault}.`)
  process.exit(0)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
