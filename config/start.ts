/**
 * The program: reads the command line and the environment, boots the gateway, logs its address, and ends it in order
 * on a signal. A fault of the operator's is one sentence on stderr and exit status 1.
 */

// Before all others.
import './engine.js'
import type { Gateway } from '../kernel/boot.js'
import { standardOutput } from '../kernel/log/line-output.js'
import { LineWriter } from '../kernel/log/line-writer.js'
import type { GatewayLog } from '../kernel/log/log.js'
import { createLog, warningLine } from '../kernel/log/log.js'
import { openEmbedded } from '../kernel/store/embedded.js'
import { order } from '../plugins/stages/line.js'
import { builtInRoots, consolePages } from './built-in.js'
import { commandOf, helpText } from './command-line.js'
import { keepCompiled } from './compiled.js'
import { core } from './core.js'
import { type ReadEnvironment, readEnvironment } from './environment.js'
import { surviveFaults } from './faults.js'
import { greeting } from './greeting.js'
import { programVersion } from './version.js'
import type { Ready } from './workers/messages.js'
import { type WorkerProcess, workerProcess } from './workers/worker.js'

const name = 'waybill'

try {
  await main()
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const requested = commandOf(process.argv.slice(2))
  const version = programVersion()
  if (requested === 'version') return say(version)
  if (requested === 'help') return say(helpText(version))
  const worker = workerProcess()
  const read = readEnvironment(undefined, worker?.role)
  const lines = openLines()
  const log = openLog(read, lines, worker)
  surviveFaults(log, () => process.exit(1))
  const { environment } = read
  const greet = (ready: Ready) => {
    const workers = worker?.role.count ?? read.workers
    lines.write(`${greeting({ version, environment, workers, ...ready })}\n`)
  }
  if (worker === undefined && read.workers > 1) {
    const { supervise } = await import('./workers/supervisor.js')
    supervise({ count: read.workers, nodeName: environment.nodeName, log, lines, greet })
    return
  }
  keepCompiled(environment.dataDir)
  // Opens on a thread of its own while the modules are read.
  const embedded =
    environment.databaseUrl === undefined ? openEmbedded(environment.dataDir, log) : undefined
  // Reported by whoever waits for it.
  embedded?.catch(() => {})
  // Imported late, so that a wrong environment is reported at once.
  const { boot } = await import('../kernel/boot.js')
  const booting = boot({
    environment,
    version,
    roots: builtInRoots,
    order,
    core,
    log,
    pages: consolePages,
    embedded,
    peers: worker?.peers,
  })
  endOnSignals(log, async () => (await booting).stop(), worker)
  const gateway = await booting
  const { address } = gateway
  const ready = worker?.ready ?? greet
  ready({ address, setupCode: setupCodeOf(gateway) })
}

/** Undefined: set up already, or the plugin that would do it failed, which the log holds. */
function setupCodeOf(gateway: Gateway): string | undefined {
  try {
    return gateway.service('setup').code()
  } catch {
    return undefined
  }
}

/** What is still held when the process ends, however it ends by itself, is written then. */
function openLines(): LineWriter {
  const report = (dropped: number) =>
    warningLine(name, { dropped }, 'lines of this log were dropped, since nobody read them in time')
  const lines = new LineWriter(standardOutput(), report)
  process.on('exit', () => lines.end())
  return lines
}

function openLog(
  read: ReadEnvironment,
  lines: LineWriter,
  worker: WorkerProcess | undefined,
): GatewayLog {
  const { environment, logLevel, ineffective } = read
  const stream = {
    write: (line: string) => lines.write(line),
    dropped: () => lines.dropped() + (worker?.dropped() ?? 0),
  }
  const log = createLog({ name, level: logLevel, stream })
  const { cryptoSecret, cryptoSecretPrevious, databaseUrl, redisUrl } = environment
  for (const secret of [cryptoSecret, cryptoSecretPrevious]) {
    if (secret !== undefined) log.secret(secret)
  }
  for (const address of [databaseUrl, redisUrl]) {
    if (address !== undefined) for (const secret of passwordsIn(address)) log.secret(secret)
  }
  if (ineffective.length > 0 && worker === undefined) {
    log.warn({ names: ineffective }, 'these environment variables have no effect here')
  }
  return log
}

/** The password of an address, as it stands there and as it is meant. */
function passwordsIn(address: string): readonly string[] {
  const { password } = new URL(address)
  return [password, decodeURIComponent(password)]
}

/**
 * The first signal ends the gateway in order, a second one at once. A worker ends in order at the word of its primary too, which it
 * may be given beside the signal: what a terminal sends, it sends to all.
 */
function endOnSignals(
  log: GatewayLog,
  stop: () => Promise<void>,
  worker: WorkerProcess | undefined,
): void {
  let stopping = false
  const end = async (why: object, message: string) => {
    stopping = true
    log.info(why, message)
    try {
      await stop()
      process.exit(0)
    } catch (err) {
      log.error({ err }, 'the gateway did not stop in order')
      process.exit(1)
    }
  }
  let signals = 0
  const signalled = (signal: NodeJS.Signals) => {
    signals += 1
    if (signals > 1) process.exit(1)
    if (!stopping) void end({ signal }, 'stopping; a second signal ends the process at once')
  }
  process.on('SIGTERM', signalled)
  process.on('SIGINT', signalled)
  worker?.onStop((reason) => {
    if (!stopping) void end({ reason }, 'this worker stops')
  })
}

/** What is wrong with the place the gateway runs in is one sentence; a fault of the program comes with its stack. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const ofTheProgram = [TypeError, RangeError, ReferenceError, SyntaxError]
  if (ofTheProgram.some((kind) => error instanceof kind)) return error.stack ?? error.message
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return 'The port is in use already. Set PORT to another one, or end the process that has it.'
  }
  if (code === 'ECONNREFUSED') return `The database cannot be reached: ${error.message}.`
  return error.message
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
