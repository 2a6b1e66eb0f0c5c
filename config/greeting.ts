/** What people read when the gateway is up: where it listens, where the data is, and how to set it up or find its console. */
import type { Environment } from '../kernel/contract/services/system.js'

export interface Greeted {
  readonly version: string
  /** Origin it listens at. */
  readonly address: string
  readonly environment: Pick<Environment, 'dataDir' | 'databaseUrl'>
  /** Absent: the gateway is set up already. */
  readonly setupCode?: string
  /** Processes that share the address. Absent: one. */
  readonly workers?: number
}

export function greeting(greeted: Greeted): string {
  const address = reachable(greeted.address)
  const { setupCode: code, workers = 1 } = greeted
  const next = code === undefined ? [`Console: ${address}`] : setupLines(address, code)
  return [
    '',
    `Waybill ${greeted.version} is ready at ${address}`,
    ...(workers > 1 ? [`Workers: ${workers}`] : []),
    ...dataLines(greeted.environment),
    ...next,
    '',
  ].join('\n')
}

/** The address to call from this machine, where the gateway listens on every one of its addresses. */
function reachable(address: string): string {
  return address.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1')
}

function dataLines({ databaseUrl, dataDir }: Greeted['environment']): readonly string[] {
  if (databaseUrl !== undefined) return [`Data: PostgreSQL at ${placeOf(databaseUrl)}`]
  return [
    `Data: embedded database in ${dataDir}`,
    'It survives the end of this process at any moment, but not a loss of power.',
    'For money you cannot lose, set DATABASE_URL to a PostgreSQL.',
  ]
}

/** Host and name of the database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'the given address'
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

function setupLines(address: string, code: string): readonly string[] {
  const form = {
    username: 'root',
    password: 'choose-a-password',
    confirmPassword: 'choose-a-password',
    code,
  }
  return [
    '',
    'It is not set up yet. Open this link in a browser to set it up:',
    '',
    `  ${address}/setup#code=${code}`,
    '',
    'Without a browser, this creates the first account, with a password of your own:',
    '',
    `  curl ${address}/api/setup -H 'content-type: application/json' \\`,
    `    -d '${JSON.stringify(form)}'`,
    '',
    `Wherever it is set up from, setup asks for this code: ${code}`,
  ]
}
