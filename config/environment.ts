/**
 * The environment, read once at start. The only file that reads `process.env`. A value that cannot be taken stops the
 * process with one sentence that names the variable and what it takes.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import Joi from 'joi'
import type { Environment, RateLimit } from '../kernel/contract/services/system.js'
import { parseTrustedProxies } from '../kernel/http/trusted-proxies.js'
import type { LogLevel } from '../kernel/log/log.js'
import { ineffectiveNames, type Variable, variables, workersMax } from './variables.js'

/** Which of the processes of `WORKERS` one is. */
export interface WorkerRole {
  /** From 1. */
  readonly number: number
  readonly count: number
}

export interface ReadEnvironment {
  readonly environment: Environment
  /** Processes that are to share the port. */
  readonly workers: number
  readonly logLevel: LogLevel
  /** Names that mean something elsewhere, are set here, and do nothing. */
  readonly ineffective: readonly string[]
}

/** A variable that somebody named on the command line. Throws a sentence where it is not set, or empty. */
export function variableNamed(name: string, source: Source = process.env): string {
  const value = source[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set, or empty.`)
  return value
}

/** What a worker is told by who starts it. */
export const roleVariable = 'WAYBILL_WORKER'

/** As `roleVariable` has it: `2/4`. */
export function readRole(source: Source = process.env): WorkerRole | undefined {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(source[roleVariable] ?? '') ?? []
  return number === undefined ? undefined : { number: Number(number), count: Number(count) }
}

/** As one of several workers has it, with `role`. Throws an `Error` with a sentence for people. */
export function readEnvironment(source: Source = process.env, role?: WorkerRole): ReadEnvironment {
  const values = new Map(variables.map((variable) => [variable.name, read(variable, source)]))
  const databaseUrl = oneOf(values, 'DATABASE_URL', 'SQL_DSN', 'databases')
  const name = text(values, 'NODE_NAME') ?? ''
  return {
    workers: workersOf(values, databaseUrl),
    environment: {
      port: number(values, 'PORT'),
      host: text(values, 'HOST') ?? '',
      dataDir: resolve(text(values, 'DATA_DIR') ?? ''),
      plugins: pluginsOf(values),
      databaseUrl,
      cryptoSecret: text(values, 'CRYPTO_SECRET'),
      cryptoSecretPrevious: text(values, 'CRYPTO_SECRET_PREVIOUS'),
      trustedProxies: soundProxies(items(values, 'TRUSTED_PROXIES')),
      tls: tlsOf(values),
      cookieSecure: flag(values, 'COOKIE_SECURE'),
      hsts: text(values, 'HSTS') as Environment['hsts'],
      allowPrivateUpstreams: flag(values, 'ALLOW_PRIVATE_UPSTREAMS'),
      maxRequestBodyBytes: number(values, 'MAX_REQUEST_BODY_MB') * 1024 * 1024,
      bytesInFlightMax: partOf(mebibytes(values, 'MAX_BODIES_IN_FLIGHT_MB'), role),
      uploadSpool: uploadSpoolOf(values, role),
      concurrency: {
        perAddress: number(values, 'MAX_CONCURRENT_PER_ADDRESS'),
        perUser: number(values, 'MAX_CONCURRENT_PER_USER'),
        perKey: number(values, 'MAX_CONCURRENT_PER_KEY'),
      },
      streamingTimeoutMs: number(values, 'STREAMING_TIMEOUT') * 1000,
      relayTimeoutMs: number(values, 'RELAY_TIMEOUT') * 1000,
      nodeName: role === undefined ? name : workerName(name, role.number),
      redisUrl: oneOf(values, 'REDIS_URL', 'REDIS_CONN_STRING', 'servers'),
      rateLimits: {
        api: rateLimit(values, 'GLOBAL_API_RATE_LIMIT'),
        web: rateLimit(values, 'GLOBAL_WEB_RATE_LIMIT'),
        critical: rateLimit(values, 'CRITICAL_RATE_LIMIT'),
        criticalRoute: rateLimit(values, 'CRITICAL_ROUTE_RATE_LIMIT'),
        criticalSecrets: rateLimit(values, 'CRITICAL_SECRETS_RATE_LIMIT'),
        login: rateLimit(values, 'LOGIN_RATE_LIMIT'),
        wrongKeys: rateLimit(values, 'KEY_FAILURE_RATE_LIMIT'),
      },
      metrics: metricsOf(values),
    },
    logLevel: values.get('LOG_LEVEL') as LogLevel,
    ineffective: ineffectiveNames.filter((name) => given(source, name) !== undefined),
  }
}

type Source = Readonly<Record<string, string | undefined>>
type Values = ReadonlyMap<string, unknown>

/** An empty value counts as none: that is how compose files leave a variable out. */
function given(source: Source, name: string): string | undefined {
  const value = source[name]?.trim()
  return value === '' ? undefined : value
}

function read(variable: Variable, source: Source): unknown {
  const value = given(source, variable.name)
  if (value === undefined) return variable.default
  const checked = variable.schema.validate(value)
  if (!checked.error) return checked.value
  const shown = variable.secret ? 'the given value' : `"${value}"`
  throw new Error(`${variable.name} takes ${variable.takes}; ${shown} is not that.`)
}

/** The value of a variable that goes by two names. */
function oneOf(values: Values, name: string, alias: string, what: string): string | undefined {
  const [value, other] = [text(values, name), text(values, alias)]
  if (value !== undefined && other !== undefined && value !== other) {
    throw new Error(`${name} and ${alias} name different ${what}; set one of the two.`)
  }
  return value ?? other
}

function rateLimit(values: Values, name: string): RateLimit {
  return {
    enabled: flag(values, `${name}_ENABLE`) !== false,
    limit: number(values, name),
    windowSeconds: number(values, `${name}_DURATION`),
  }
}

function metricsOf(values: Values): Environment['metrics'] {
  const port = values.get('METRICS_PORT')
  if (typeof port !== 'number') return undefined
  return { host: text(values, 'METRICS_HOST') ?? '', port }
}

/** Packages are looked for as a program of the current folder would find them, then among what stands beside the data. */
function pluginsOf(values: Values): Environment['plugins'] {
  const names = items(values, 'PLUGINS')
  const file = text(values, 'PLUGINS_FILE')
  const isolated = items(values, 'PLUGINS_ISOLATED')
  if (names.length + isolated.length === 0 && file === undefined) return undefined
  const from = [process.cwd(), resolve(text(values, 'DATA_DIR') ?? '', 'plugins')]
  return {
    ...{ names, file: file === undefined ? undefined : resolve(file), from },
    ...(isolated.length > 0 && { isolated: isolated.includes('all') ? 'all' : isolated }),
  }
}

/** What each worker is called. */
export function workerName(name: string, number: number): string {
  return `${name}-${number}`
}

function workersOf(values: Values, databaseUrl: string | undefined): number {
  const wanted = values.get('WORKERS')
  if (wanted === 'auto') {
    return databaseUrl === undefined ? 1 : Math.min(availableParallelism(), workersMax)
  }
  const count = number(values, 'WORKERS')
  if (count === 1 || databaseUrl !== undefined) return count
  throw new Error(
    `WORKERS=${count} needs a PostgreSQL: the embedded database serves one process. Set DATABASE_URL, or WORKERS to 1.`,
  )
}

/** Memory and disk of the machine are divided among its workers; a part has room for a body of some size in any case. */
function partOf(bytes: number | undefined, role: WorkerRole | undefined): number | undefined {
  if (bytes === undefined || role === undefined) return bytes
  return Math.max(Math.floor(bytes / role.count), partBytesMin)
}

const partBytesMin = 16 * 1024 * 1024

function uploadSpoolOf(values: Values, role: WorkerRole | undefined): Environment['uploadSpool'] {
  const bytesMax = partOf(mebibytes(values, 'UPLOAD_SPOOL_MB') || undefined, role) ?? 0
  if (bytesMax === 0) return undefined
  return { folder: resolve(text(values, 'UPLOAD_SPOOL_DIR') ?? ''), bytesMax }
}

function tlsOf(values: Values): Environment['tls'] {
  const [cert, key] = [text(values, 'TLS_CERT'), text(values, 'TLS_KEY')]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined) throw new Error('TLS_KEY is set without TLS_CERT; set both, or neither.')
  if (key === undefined) throw new Error('TLS_CERT is set without TLS_KEY; set both, or neither.')
  return { certFile: resolve(cert), keyFile: resolve(key) }
}

/** Refused here, before anything is opened; the server parses them again for use (AUTH-11). */
function soundProxies(entries: readonly string[]): readonly string[] {
  parseTrustedProxies(entries)
  return entries
}

function text(values: Values, name: string): string | undefined {
  const value = values.get(name)
  return typeof value === 'string' ? value : undefined
}

function number(values: Values, name: string): number {
  return Joi.attempt(values.get(name), Joi.number().required())
}

function mebibytes(values: Values, name: string): number | undefined {
  return values.get(name) === undefined ? undefined : number(values, name) * 1024 * 1024
}

function flag(values: Values, name: string): boolean | undefined {
  const value = values.get(name)
  return typeof value === 'boolean' ? value : undefined
}

function items(values: Values, name: string): readonly string[] {
  return Joi.attempt(values.get(name), Joi.array().items(Joi.string()).required())
}
