/**
 * Faults nobody caught (decision 43). A promise that rejects unheard, and what a plugin throws in a timer or an event,
 * is logged and survived; only where the kernel, a stage or a core service was running is the state of the process unknown,
 * and the process ends.
 */
import { fileURLToPath } from 'node:url'
import type { Log } from '../kernel/contract/kit.js'
import { type Culprit, ownersOf } from '../kernel/registry/culprit.js'
import { core } from './core.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export function surviveFaults(log: Log, end: () => void): void {
  // Who read the outputs may be gone. A line that cannot be written is lost; to log that would be one more such line, without an end.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  // Node.js writes them to standard error, where nobody looks who reads the log; the stack shows whose they are.
  process.removeAllListeners('warning')
  process.on('warning', (err) => {
    log.warn({ err, plugin: firstOf(err) }, `the runtime warns: ${err.message}`)
  })
  process.on('unhandledRejection', (err) => {
    log.error({ err, plugin: firstOf(err) }, 'a promise was rejected and nobody awaited it')
  })
  process.on('uncaughtException', (err, origin) => {
    const { plugins, kernel } = ownersOf(err, root)
    const plugin = plugins.find((one) => !isCore(one))
    if (plugin !== undefined) {
      log.error({ err, plugin: plugin.id, origin }, 'a plugin threw where nobody could catch it')
    } else if (plugins.length === 0 && !kernel) {
      log.error({ err, origin }, 'a fault nobody caught, outside of the code of the gateway')
    } else {
      log.error({ err, origin }, 'a fault nobody caught; the process ends')
      end()
    }
  })
}

function firstOf(error: unknown): string | undefined {
  return ownersOf(error, root).plugins[0]?.id
}

const coreIds: ReadonlySet<string> = new Set(core.required.map((name) => `service.${name}`))

function isCore({ id, kind }: Culprit): boolean {
  return kind === 'stage' || coreIds.has(id)
}
