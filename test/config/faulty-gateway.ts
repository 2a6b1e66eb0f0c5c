/**
 * A gateway in a process of its own, with the plugins and the data of the folders it is given; started by a test. Each line it reads
 * names what is to go wrong; `{"way": "kernel"}` throws in code that is no plugin's.
 */

import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { surviveFaults } from '../../config/faults.js'
import { boot } from '../../kernel/boot.js'
import { createLog } from '../../kernel/log/log.js'
import { order } from '../../plugins/stages/line.js'
import { trouble } from '../kernel/registry/throwing-plugins.js'
import { defaultEnvironment } from '../kit/gateway.js'

const log = createLog({ name: 'test', level: 'warn', stream: process.stdout })
surviveFaults(log, () => process.exit(1))

const gateway = await boot({
  environment: { ...defaultEnvironment, dataDir: String(process.argv[3]) },
  version: 'v0.0.0',
  roots: [...builtInRoots, pathToFileURL(`${process.argv[2]}/`)],
  order,
  core,
  log,
})
process.stdout.write(`at ${gateway.address}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const next = JSON.parse(line)
  if (next.way === 'kernel') {
    setImmediate(() => {
      throw new Error('no plugin was near')
    })
  }
  Object.assign(trouble(), next)
  process.stdout.write('set\n')
}
await gateway.stop()
process.exit(0)
