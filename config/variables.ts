/**
 * Every environment variable the gateway reads: what it takes, what it is without one, what it means. `--help` prints
 * this table. Names are those operators of such gateways know.
 */
import { hostname, tmpdir } from 'node:os'
import Joi from 'joi'
import { logLevels } from '../kernel/log/log.js'

export interface Variable {
  readonly name: string
  readonly default: unknown
  /** The default as `--help` shows it. */
  readonly defaultText: string
  /** Completes the sentence "NAME takes …". */
  readonly takes: string
  readonly meaning: string
  readonly schema: Joi.Schema
  /** The value is never repeated in a message. */
  readonly secret?: true
}

const flag = Joi.boolean().truthy('1', 'yes', 'on').falsy('0', 'no', 'off')
const flagTakes = 'true or false'
const database = Joi.string()
  .pattern(/^postgres(ql)?:\/\/\S+$/)
  .custom(soundAddress)
const databaseTakes = 'the address of a PostgreSQL, as postgres://user:password@host:5432/name'

/** Processes of one program. */
export const workersMax = 64

const masterKey = Joi.string().min(16).invalid('random_string')

const redis = Joi.string()
  .pattern(/^rediss?:\/\/\S+$/)
  .custom(soundAddress)
const redisTakes = 'the address of a Redis, as redis://user:password@host:6379/0'

/** A limit, its window and its switch. */
function rateLimit(name: string, limit: number, seconds: number, what: string): Variable[] {
  return [
    {
      name,
      default: limit,
      defaultText: String(limit),
      takes: 'a whole number from 1 to 1000000',
      meaning: `Most ${what} in a window.`,
      schema: Joi.number().integer().min(1).max(1_000_000),
    },
    {
      name: `${name}_DURATION`,
      default: seconds,
      defaultText: String(seconds),
      takes: 'a whole number of seconds from 1 to 86400',
      meaning: 'That window, in seconds.',
      schema: Joi.number().integer().min(1).max(86_400),
    },
    {
      name: `${name}_ENABLE`,
      default: true,
      defaultText: 'true',
      takes: flagTakes,
      meaning: 'Whether that limit holds.',
      schema: flag,
    },
  ]
}

/** How many requests of somebody may be in work at once. */
function concurrency(name: string, max: number, whose: string): Variable {
  return {
    name,
    default: max,
    defaultText: String(max),
    takes: 'a whole number from 0 to 100000',
    meaning: `Most relayed requests of ${whose} at once in a process, open streams too; 0: any number.`,
    schema: Joi.number().integer().min(0).max(100_000),
  }
}

export const variables: readonly Variable[] = [
  {
    name: 'PORT',
    default: 3000,
    defaultText: '3000',
    takes: 'a port from 0 to 65535',
    meaning: 'Port to listen on; 0: any free one.',
    schema: Joi.number().integer().min(0).max(65_535),
  },
  {
    name: 'HOST',
    default: '0.0.0.0',
    defaultText: '0.0.0.0',
    takes: 'an address or host name of this machine',
    meaning: 'Address to listen on. 0.0.0.0: every one; 127.0.0.1: this machine only.',
    schema: Joi.string().pattern(/^[^\s/]+$/),
  },
  {
    name: 'WORKERS',
    default: 1,
    defaultText: '1',
    takes: `a whole number from 1 to ${workersMax}, or auto`,
    meaning: 'Processes that share the port; auto: one for each processor. They need DATABASE_URL.',
    schema: Joi.number().integer().min(1).max(workersMax).allow('auto'),
  },
  {
    name: 'DATA_DIR',
    default: './data',
    defaultText: './data',
    takes: 'a folder',
    meaning: 'Embedded database and generated secret.',
    schema: Joi.string(),
  },
  {
    name: 'DATABASE_URL',
    default: undefined,
    defaultText: 'embedded database',
    takes: databaseTakes,
    meaning: 'PostgreSQL to use in place of the embedded database.',
    schema: database,
    secret: true,
  },
  {
    name: 'SQL_DSN',
    default: undefined,
    defaultText: '',
    takes: databaseTakes,
    meaning: 'Another name of DATABASE_URL.',
    schema: database,
    secret: true,
  },
  {
    name: 'CRYPTO_SECRET',
    default: undefined,
    defaultText: 'DATA_DIR/secret.key',
    takes: 'at least 16 characters nobody can guess, the same on every node',
    meaning: 'Master key that seals stored secrets; without one a key is generated once.',
    schema: masterKey,
    secret: true,
  },
  {
    name: 'CRYPTO_SECRET_PREVIOUS',
    default: undefined,
    defaultText: 'DATA_DIR/secret.key',
    takes: 'the CRYPTO_SECRET that was in use before',
    meaning: 'Master key before a new CRYPTO_SECRET, until the log says it is not needed.',
    schema: masterKey,
    secret: true,
  },
  {
    name: 'PLUGINS',
    default: [],
    defaultText: 'none',
    takes: 'names of npm packages and paths of folders, separated by commas',
    meaning: 'Plugins beside those that come with the gateway; a folder begins with "./" or "/".',
    schema: Joi.string().custom(splitAtCommas),
  },
  {
    name: 'PLUGINS_FILE',
    default: undefined,
    defaultText: 'none',
    takes: 'a text file',
    meaning: 'Names more of them, one in a line.',
    schema: Joi.string(),
  },
  {
    name: 'PLUGINS_ISOLATED',
    default: [],
    defaultText: 'none',
    takes: 'ids of plugins, separated by commas, or all',
    meaning: 'Providers, task types, formats and operations from outside that run in a thread.',
    schema: Joi.string().custom(splitAtCommas),
  },
  {
    name: 'TRUSTED_PROXIES',
    default: [],
    defaultText: 'none',
    takes: 'addresses or ranges, separated by commas',
    meaning: 'Proxies whose word on address and HTTPS of a client is taken.',
    schema: Joi.string().custom(splitAtCommas),
  },
  {
    name: 'TLS_CERT',
    default: undefined,
    defaultText: 'plain HTTP',
    takes: 'a file in PEM form',
    meaning: 'Certificate and chain, for HTTPS without a proxy; read anew on change.',
    schema: Joi.string(),
  },
  {
    name: 'TLS_KEY',
    default: undefined,
    defaultText: '',
    takes: 'a file in PEM form',
    meaning: 'Private key of TLS_CERT, without a passphrase.',
    schema: Joi.string(),
  },
  {
    name: 'COOKIE_SECURE',
    default: undefined,
    defaultText: 'by request',
    takes: flagTakes,
    meaning: 'Session cookies for HTTPS only; by default where the request came by HTTPS.',
    schema: flag,
  },
  {
    name: 'HSTS',
    default: 'host',
    defaultText: 'host',
    takes: 'one of host, subdomains, preload',
    meaning: 'What browsers hold to HTTPS for a year: this host, or all below it too.',
    schema: Joi.string().lowercase().valid('host', 'subdomains', 'preload'),
  },
  {
    name: 'ALLOW_PRIVATE_UPSTREAMS',
    default: undefined,
    defaultText: 'by option',
    takes: flagTakes,
    meaning: 'Whether admins may name private addresses; before PrivateUpstreamsEnabled.',
    schema: flag,
  },
  {
    name: 'MAX_REQUEST_BODY_MB',
    default: 64,
    defaultText: '64',
    takes: 'a whole number of MiB from 1 to 1024',
    meaning: 'Largest body of a relayed request, in MiB.',
    schema: Joi.number().integer().min(1).max(1024),
  },
  {
    name: 'MAX_BODIES_IN_FLIGHT_MB',
    default: undefined,
    defaultText: 'a quarter of the memory',
    takes: 'a whole number of MiB from 16 to 65536',
    meaning: 'Bodies of all requests held at once, in MiB; each of several WORKERS has its part.',
    schema: Joi.number().integer().min(16).max(65_536),
  },
  {
    name: 'UPLOAD_SPOOL_DIR',
    default: tmpdir(),
    defaultText: 'temporary files',
    takes: 'a folder on a disk of this machine',
    meaning: 'Where uploads above 8 MiB are while they arrive, in a folder of their own.',
    schema: Joi.string(),
  },
  {
    name: 'UPLOAD_SPOOL_MB',
    default: 2048,
    defaultText: '2048',
    takes: 'a whole number of MiB from 0 to 1048576',
    meaning: 'All of them together, in MiB, also of several WORKERS; 0: they are in memory.',
    schema: Joi.number().integer().min(0).max(1_048_576),
  },
  concurrency('MAX_CONCURRENT_PER_ADDRESS', 1024, 'one address'),
  concurrency('MAX_CONCURRENT_PER_USER', 1024, 'one user'),
  concurrency('MAX_CONCURRENT_PER_KEY', 512, 'one API key'),
  {
    name: 'STREAMING_TIMEOUT',
    default: 300,
    defaultText: '300',
    takes: 'a whole number of seconds from 1 to 86400',
    meaning: 'Longest time within an upstream answer without content, in seconds.',
    schema: Joi.number().integer().min(1).max(86_400),
  },
  {
    name: 'RELAY_TIMEOUT',
    default: 0,
    defaultText: '0',
    takes: 'a whole number of seconds from 0 to 86400',
    meaning: "Longest wait for an upstream's whole answer, in seconds; 0: no limit.",
    schema: Joi.number().integer().min(0).max(86_400),
  },
  {
    name: 'REDIS_URL',
    default: undefined,
    defaultText: 'no Redis',
    takes: redisTakes,
    meaning: 'Redis that keeps the counters of rate limits for all processes.',
    schema: redis,
    secret: true,
  },
  {
    name: 'REDIS_CONN_STRING',
    default: undefined,
    defaultText: '',
    takes: redisTakes,
    meaning: 'Another name of REDIS_URL.',
    schema: redis,
    secret: true,
  },
  ...rateLimit('GLOBAL_API_RATE_LIMIT', 720, 180, 'requests of one address to the management API'),
  ...rateLimit(
    'GLOBAL_WEB_RATE_LIMIT',
    60,
    180,
    'requests of one address for pages that no file serves',
  ),
  ...rateLimit(
    'CRITICAL_RATE_LIMIT',
    20,
    1200,
    'requests of one address that touch money, keys or sign-in',
  ),
  ...rateLimit('CRITICAL_ROUTE_RATE_LIMIT', 20, 1200, 'such requests of one user to one route'),
  ...rateLimit('CRITICAL_SECRETS_RATE_LIMIT', 120, 1200, 'writes of keys and secrets of one user'),
  ...rateLimit('LOGIN_RATE_LIMIT', 10, 900, 'sign-ins by password to one account from one address'),
  ...rateLimit('KEY_FAILURE_RATE_LIMIT', 60, 300, 'API keys that nobody has, of one address,'),
  {
    name: 'METRICS_PORT',
    default: undefined,
    defaultText: 'no metrics',
    takes: 'a port from 0 to 65535',
    meaning: 'Port of its own on which Prometheus reads /metrics of all WORKERS; 0: any free one.',
    schema: Joi.number().integer().min(0).max(65_535),
  },
  {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    defaultText: '127.0.0.1',
    takes: 'an address or host name of this machine',
    meaning: 'Address on which metrics are served.',
    schema: Joi.string().pattern(/^[^\s/]+$/),
  },
  {
    name: 'NODE_NAME',
    default: hostname(),
    defaultText: 'host name',
    takes: 'a name of at most 128 characters',
    meaning: 'Name of this process, its own on one database; WORKERS are called name-1, name-2, …',
    schema: Joi.string().max(128),
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    defaultText: 'info',
    takes: `one of ${logLevels.join(', ')}`,
    meaning: 'Least severe lines that are written.',
    schema: Joi.string()
      .lowercase()
      .valid(...logLevels),
  },
  {
    name: 'TZ',
    default: undefined,
    defaultText: 'of the machine',
    takes: 'a time zone such as UTC or Europe/Berlin',
    meaning: 'Time zone of dates in reports.',
    schema: Joi.string().custom(knownTimeZone),
  },
]

/** Names operators may have set for another gateway, or expect of this one, that change nothing here. */
export const ineffectiveNames: readonly string[] = [
  ...['SEARCH_RATE_LIMIT', 'SEARCH_RATE_LIMIT_ENABLE', 'SEARCH_RATE_LIMIT_DURATION'],
  ...['SESSION_SECRET', 'LOG_SQL_DSN', 'SQLITE_PATH', 'SQL_MAX_IDLE_CONNS'],
  ...['SQL_MAX_OPEN_CONNS', 'SQL_MAX_LIFETIME', 'REDIS_POOL_SIZE'],
  ...['MEMORY_CACHE_ENABLED', 'SYNC_FREQUENCY', 'NODE_TYPE', 'FRONTEND_BASE_URL'],
  ...['BATCH_UPDATE_ENABLED', 'BATCH_UPDATE_INTERVAL', 'RELAY_MAX_IDLE_CONNS'],
  ...['RELAY_MAX_IDLE_CONNS_PER_HOST', 'STREAM_SCANNER_MAX_BUFFER_MB', 'MAX_FILE_DOWNLOAD_MB'],
  ...['CHANNEL_TEST_FREQUENCY', 'CHANNEL_UPDATE_FREQUENCY', 'POLLING_INTERVAL', 'UPDATE_TASK'],
  ...['TASK_QUERY_LIMIT', 'TASK_TIMEOUT_MINUTES', 'TASK_PRICE_PATCH', 'FORCE_STREAM_OPTION'],
  ...['CountToken', 'GET_MEDIA_TOKEN', 'GET_MEDIA_TOKEN_NOT_STREAM', 'ERROR_LOG_ENABLED'],
  ...['GENERATE_DEFAULT_TOKEN', 'NOTIFY_LIMIT_COUNT', 'NOTIFICATION_LIMIT_DURATION_MINUTE'],
  ...['AZURE_DEFAULT_API_VERSION', 'TLS_INSECURE_SKIP_VERIFY', 'TRUSTED_REDIRECT_DOMAINS'],
  ...['ENABLE_PPROF', 'SUBSCRIPTION_PLAN_CACHE_TTL', 'SYNC_UPSTREAM_BASE', 'SYNC_HTTP_RETRY'],
  ...['SYNC_HTTP_TIMEOUT_SECONDS'],
]

function splitAtCommas(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Throws, which joi takes as a refusal, for what is no address or holds a password that cannot be read. */
function soundAddress(value: string): string {
  decodeURIComponent(new URL(value).password)
  return value
}

function knownTimeZone(value: string): string {
  // Throws for a zone the runtime does not know, which joi takes as a refusal; the runtime itself would fall back to UTC.
  new Intl.DateTimeFormat('en', { timeZone: value })
  return value
}
