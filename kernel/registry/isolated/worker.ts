/**
 * The thread of one plugin: imports it, creates it, and offers its functions to the gateway. It has no environment variables, and
 * what it writes to its outputs becomes lines of the log.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import { importCreate } from '../discovery.js'
import { resolveOwnName } from '../own-copy.js'
import { type Callable, described } from './description.js'
import type { Description } from './messages.js'
import { firstGroup } from './offers.js'
import { Peer, signalEnd } from './peer.js'
import { type CopiedSettings, copiedSettings, type SettingValues } from './settings.js'

/** What a thread is started with. */
export interface ThreadData {
  readonly port: MessagePort
  readonly signals: Int32Array
}

export interface Creation {
  /** Id of the plugin. */
  readonly id: string
  /** Address of its module. */
  readonly entry: string
  readonly settings: SettingValues
}

/** What `create` of the plugin returned, and the group its functions are of. */
export interface Created {
  readonly description: Description
  readonly group: number
}

const { port, signals } = takeData(workerData)
let copied: CopiedSettings | undefined
const functions = [create, update] as const
const peer = new Peer({
  ...{ port, signals, side: 'thread', limitMs: Number.POSITIVE_INFINITY },
  functions: functions as readonly Callable[],
  broken: () => process.exit(),
})
process.on('exit', () => signalEnd(signals))
process.on('uncaughtException', report)

/** The plugin finds nothing of it where it looks. */
function takeData(data: { thread?: ThreadData }): ThreadData {
  const { thread } = data
  delete data.thread
  return thread!
}

async function create({ id, entry, settings }: Creation): Promise<Created> {
  resolveOwnName()
  const make = await importCreate({ load: () => import(entry) }, { entry })
  copied = copiedSettings(id, settings)
  const made: unknown = make(Object.freeze({ settings: copied.settings }))
  if (typeof made !== 'object' || made === null || 'then' in made) {
    throw new Error('create(kit) returned no object')
  }
  const { description, functions } = described(made, false)
  return { description, group: peer.offer(functions) }
}

async function update(values: SettingValues): Promise<void> {
  copied?.update(values)
}

/** What nobody catches fails no call; the gateway logs it. */
function report(error: unknown): void {
  const text = error instanceof Error ? error.stack : String(error)
  // What fails here would be one more error that nobody catches.
  peer.send({ group: firstGroup, at: 0 }, [text]).catch(() => {})
}
