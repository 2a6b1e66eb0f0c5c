/** The gateway as a process of its own, as `npm start` runs it: for what only a real process shows, such as its death. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { freshDatabaseUrl } from './database.js'
import { knowSetupCode, setupCodeIn } from './management.js'

export interface GatewayProcess {
  /** Origin it listens at. */
  readonly url: string
  readonly pid: number
  /** Everything it wrote so far. */
  output(): string
  /** Sends the signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

export type Variables = Readonly<Record<string, string>>

const program = fileURLToPath(new URL('../../config/start.js', import.meta.url))
const command = fileURLToPath(new URL('../../config/cli/waybill.js', import.meta.url))

/** Where one gateway keeps its data over several processes: a directory, and a PostgreSQL database where the suite has one. */
export async function installation(t: Pick<Test, 'teardown'>): Promise<Variables> {
  const databaseUrl = await freshDatabaseUrl(t)
  return {
    ...(await emptyInstallation(t)),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
}

/** A directory alone, for starts that are not meant to come as far as a database. */
export async function emptyInstallation(t: Pick<Test, 'teardown'>): Promise<Variables> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    UPLOAD_SPOOL_DIR: dataDir,
    NODE_NAME: 'test-node',
  }
}

/** Starts the program and resolves once it states where it listens; rejects with its output when it ends before. */
export async function startProcess(
  t: Pick<Test, 'teardown'>,
  variables: Variables,
  nodeOptions: readonly string[] = [],
): Promise<GatewayProcess> {
  return startCommand(t, [program], variables, nodeOptions)
}

/** The same with another program that starts the gateway: its file, followed by its arguments. */
export async function startCommand(
  t: Pick<Test, 'teardown'>,
  [file, ...args]: readonly [file: string, ...args: string[]],
  variables: Variables,
  nodeOptions: readonly string[] = [],
): Promise<GatewayProcess> {
  const child = run(file, args, variables, nodeOptions)
  t.teardown(() => void child.process.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.process.stdout.on('data', () => {
      const found = /is ready at (https?:\S+)/.exec(child.output())
      if (!found) return
      knowSetupCode(found[1]!, setupCodeIn(child.output()))
      resolve(found[1]!)
    })
    child.ended.then(({ output }) => reject(new Error(output)), reject)
  })
  return {
    url,
    pid: child.process.pid!,
    output: child.output,
    end: (signal) => {
      child.process.kill(signal)
      return child.ended
    },
  }
}

/** Runs the program to its end, for starts that are meant to fail and for `--help`. */
export function runProgram(args: readonly string[], variables: Variables): Promise<Ended> {
  return run(program, args, variables).ended
}

/** `waybill ledger check` over an installation. */
export function ledgerCheck(variables: Variables, program = command): Promise<Ended> {
  return run(program, ['ledger', 'check'], variables).ended
}

function run(
  file: string,
  args: readonly string[],
  variables: Variables,
  nodeOptions: readonly string[] = [],
) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, file, ...args], {
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const take = (piece: Buffer) => {
    text += piece.toString('utf8')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = once(child, 'close').then(
    ([code, signal]) => ({ code, signal, output: text }) as Ended,
  )
  return { process: child, ended, output: () => text }
}
