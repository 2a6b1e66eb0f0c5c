/**
 * Prints the OpenAPI document of the built-in plugins, as root would read it, and the management routes that declare no
 * response: `{document, routes, undeclared}`, `routes` being the number of all management routes. A gateway is put together for that, over an
 * empty database in a folder that is removed again, since the schemas of its routes are made by its plugins.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot } from '../../kernel/boot.js'
import type { Log } from '../../kernel/contract/kit.js'
import {
  describeRoute,
  openApiDocument,
} from '../../plugins/management/openapi/document/document.js'
import { NamedSchemas } from '../../plugins/management/openapi/document/named-schemas.js'
import { order } from '../../plugins/stages/line.js'
import { builtInRoots } from '../built-in.js'
import { core } from '../core.js'
import { readEnvironment } from '../environment.js'

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => console.error(message, fields),
}

const dataDir = await mkdtemp(join(tmpdir(), 'waybill-api-'))
const { environment } = readEnvironment({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  CRYPTO_SECRET: 'of nothing that is kept',
})
const gateway = await boot({
  environment,
  roots: builtInRoots,
  order,
  core,
  log: quiet,
  version: '',
})
const named = new NamedSchemas()
const loaded = gateway.service('catalog').routes()
const routes = loaded.flatMap((route) => describeRoute(route, named))
const managed = loaded.filter(({ management }) => management !== undefined)
const printed = {
  document: openApiDocument({ version: '', routes, role: 100, named }),
  routes: managed.length,
  undeclared: managed
    .filter(({ management }) => management?.response === undefined && !management?.mediaType)
    .map(({ manifest, declared }) => `${manifest.id}.${declared.name}`),
}
process.stdout.write(JSON.stringify(printed))
await gateway.stop()
await rm(dataDir, { recursive: true })
if (named.clashes.length > 0) {
  console.error(`Two forms have one name: ${named.clashes.join(', ')}`)
  process.exitCode = 1
}
