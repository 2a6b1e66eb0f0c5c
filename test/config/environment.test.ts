/** The environment as the gateway reads it: what is taken, what is refused, and in which words. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readEnvironment } from '../../config/environment.js'

/** Where packages of plugins are looked for by default. */
const pluginPlaces = [process.cwd(), join(process.cwd(), 'data/plugins')]

t.test('without any variable the gateway runs on its embedded database', async (t) => {
  const { environment, logLevel, ineffective } = readEnvironment({})
  t.match(environment, {
    port: 3000,
    host: '0.0.0.0',
    databaseUrl: undefined,
    cryptoSecret: undefined,
    cryptoSecretPrevious: undefined,
    trustedProxies: [],
    cookieSecure: undefined,
    allowPrivateUpstreams: undefined,
    maxRequestBodyBytes: 64 * 1024 * 1024,
    bytesInFlightMax: undefined,
    uploadSpool: { folder: tmpdir(), bytesMax: 2048 * 1024 * 1024 },
    concurrency: { perAddress: 1024, perUser: 1024, perKey: 512 },
    streamingTimeoutMs: 300_000,
    relayTimeoutMs: 0,
    redisUrl: undefined,
    metrics: undefined,
  })
  t.strictSame(environment.rateLimits, {
    api: { enabled: true, limit: 720, windowSeconds: 180 },
    web: { enabled: true, limit: 60, windowSeconds: 180 },
    critical: { enabled: true, limit: 20, windowSeconds: 1200 },
    criticalRoute: { enabled: true, limit: 20, windowSeconds: 1200 },
    criticalSecrets: { enabled: true, limit: 120, windowSeconds: 1200 },
    login: { enabled: true, limit: 10, windowSeconds: 900 },
    wrongKeys: { enabled: true, limit: 60, windowSeconds: 300 },
  })
  t.match(environment.dataDir, /^\/.*\/data$/)
  t.ok(environment.nodeName)
  t.equal(logLevel, 'info')
  t.strictSame(ineffective, [])
})

t.test('each variable is read, an empty one counts as none', async (t) => {
  const table: readonly (readonly [name: string, value: string, field: string, taken: unknown])[] =
    [
      ['PORT', '0', 'port', 0],
      ['MAX_BODIES_IN_FLIGHT_MB', '256', 'bytesInFlightMax', 268_435_456],
      ['UPLOAD_SPOOL_MB', '0', 'uploadSpool', undefined],
      [
        'UPLOAD_SPOOL_DIR',
        '/var/spool/waybill',
        'uploadSpool',
        { folder: '/var/spool/waybill', bytesMax: 2_147_483_648 },
      ],
      [
        'PLUGINS',
        'waybill-plugin-acme, ./local',
        'plugins',
        { names: ['waybill-plugin-acme', './local'], file: undefined, from: pluginPlaces },
      ],
      [
        'PLUGINS_FILE',
        '/etc/waybill/plugins.txt',
        'plugins',
        { names: [], file: '/etc/waybill/plugins.txt', from: pluginPlaces },
      ],
      [
        'PLUGINS_ISOLATED',
        'provider.acme, format.acme',
        'plugins',
        {
          ...{ names: [], file: undefined, from: pluginPlaces },
          isolated: ['provider.acme', 'format.acme'],
        },
      ],
      [
        'PLUGINS_ISOLATED',
        'all',
        'plugins',
        { names: [], file: undefined, from: pluginPlaces, isolated: 'all' },
      ],
      ['PLUGINS', '', 'plugins', undefined],
      ['PORT', ' 8080 ', 'port', 8080],
      ['PORT', '', 'port', 3000],
      ['HOST', '::1', 'host', '::1'],
      ['DATA_DIR', '/var/lib/waybill', 'dataDir', '/var/lib/waybill'],
      ['DATABASE_URL', 'postgres://a:b@h:5432/c', 'databaseUrl', 'postgres://a:b@h:5432/c'],
      [
        'SQL_DSN',
        'postgresql://a:b@h/c?sslmode=require',
        'databaseUrl',
        'postgresql://a:b@h/c?sslmode=require',
      ],
      ['CRYPTO_SECRET', '0123456789abcdef', 'cryptoSecret', '0123456789abcdef'],
      ['CRYPTO_SECRET_PREVIOUS', 'fedcba9876543210', 'cryptoSecretPrevious', 'fedcba9876543210'],
      [
        'TRUSTED_PROXIES',
        '10.0.0.1, 192.168.0.0/16 ,',
        'trustedProxies',
        ['10.0.0.1', '192.168.0.0/16'],
      ],
      ['COOKIE_SECURE', 'true', 'cookieSecure', true],
      ['ALLOW_PRIVATE_UPSTREAMS', 'yes', 'allowPrivateUpstreams', true],
      ['COOKIE_SECURE', '0', 'cookieSecure', false],
      ['HSTS', 'Subdomains', 'hsts', 'subdomains'],
      ['TLS_CERT', '', 'tls', undefined],
      ['ALLOW_PRIVATE_UPSTREAMS', 'no', 'allowPrivateUpstreams', false],
      ['MAX_REQUEST_BODY_MB', '128', 'maxRequestBodyBytes', 134_217_728],
      ['STREAMING_TIMEOUT', '60', 'streamingTimeoutMs', 60_000],
      ['RELAY_TIMEOUT', '90', 'relayTimeoutMs', 90_000],
      ['NODE_NAME', 'node-1', 'nodeName', 'node-1'],
      ['REDIS_URL', 'redis://:secret@h:6379/1', 'redisUrl', 'redis://:secret@h:6379/1'],
      ['REDIS_CONN_STRING', 'rediss://h', 'redisUrl', 'rediss://h'],
      ['METRICS_PORT', '9100', 'metrics', { host: '127.0.0.1', port: 9100 }],
    ]
  for (const [name, value, field, taken] of table) {
    const { environment } = readEnvironment({ [name]: value })
    t.strictSame({ ...environment }[field as 'port'], taken, `${name}=${value}`)
  }
  t.equal(readEnvironment({ LOG_LEVEL: 'DEBUG' }).logLevel, 'debug')
  t.doesNotThrow(() => readEnvironment({ TZ: 'Europe/Berlin' }))
})

t.test('each limit has its number, its window and its switch', async (t) => {
  const names = {
    api: 'GLOBAL_API_RATE_LIMIT',
    web: 'GLOBAL_WEB_RATE_LIMIT',
    critical: 'CRITICAL_RATE_LIMIT',
    criticalRoute: 'CRITICAL_ROUTE_RATE_LIMIT',
    criticalSecrets: 'CRITICAL_SECRETS_RATE_LIMIT',
    login: 'LOGIN_RATE_LIMIT',
  } as const
  for (const [limit, name] of Object.entries(names)) {
    const { rateLimits } = readEnvironment({
      [name]: '7',
      [`${name}_DURATION`]: '60',
      [`${name}_ENABLE`]: 'false',
    }).environment
    const taken = { enabled: false, limit: 7, windowSeconds: 60 }
    t.strictSame(rateLimits[limit as 'api'], taken, name)
    const others = Object.entries(rateLimits).filter(([other]) => other !== limit)
    t.ok(others.every(([, { enabled }]) => enabled))
  }
})

t.test(
  'a value that cannot be taken is refused in one sentence that names the variable',
  async (t) => {
    const table: readonly (readonly [name: string, value: string, sentence: string])[] = [
      ['PORT', 'http', 'PORT takes a port from 0 to 65535; "http" is not that.'],
      ['PORT', '65536', 'PORT takes a port from 0 to 65535; "65536" is not that.'],
      ['PORT', '80.5', 'PORT takes a port from 0 to 65535; "80.5" is not that.'],
      [
        'HOST',
        'http://x',
        'HOST takes an address or host name of this machine; "http://x" is not that.',
      ],
      ['COOKIE_SECURE', 'maybe', 'COOKIE_SECURE takes true or false; "maybe" is not that.'],
      ['HSTS', 'all', 'HSTS takes one of host, subdomains, preload; "all" is not that.'],
      [
        'MAX_REQUEST_BODY_MB',
        '0',
        'MAX_REQUEST_BODY_MB takes a whole number of MiB from 1 to 1024; "0" is not that.',
      ],
      [
        'STREAMING_TIMEOUT',
        '-1',
        'STREAMING_TIMEOUT takes a whole number of seconds from 1 to 86400; "-1" is not that.',
      ],
      [
        'RELAY_TIMEOUT',
        '1h',
        'RELAY_TIMEOUT takes a whole number of seconds from 0 to 86400; "1h" is not that.',
      ],
      [
        'GLOBAL_API_RATE_LIMIT',
        '0',
        'GLOBAL_API_RATE_LIMIT takes a whole number from 1 to 1000000; "0" is not that.',
      ],
      [
        'LOGIN_RATE_LIMIT_DURATION',
        '1.5',
        'LOGIN_RATE_LIMIT_DURATION takes a whole number of seconds from 1 to 86400; "1.5" is not that.',
      ],
      [
        'CRITICAL_RATE_LIMIT_ENABLE',
        'maybe',
        'CRITICAL_RATE_LIMIT_ENABLE takes true or false; "maybe" is not that.',
      ],
      [
        'LOG_LEVEL',
        'loud',
        'LOG_LEVEL takes one of trace, debug, info, warn, error, fatal; "loud" is not that.',
      ],
      [
        'TZ',
        'Mars/Base',
        'TZ takes a time zone such as UTC or Europe/Berlin; "Mars/Base" is not that.',
      ],
    ]
    for (const [name, value, sentence] of table) {
      t.throws(() => readEnvironment({ [name]: value }), { constructor: Error, message: sentence })
    }
  },
)

t.test('a refused secret is never repeated', async (t) => {
  const table: readonly (readonly [name: string, value: string])[] = [
    ['SQL_DSN', 'root:CANARY@tcp(localhost:3306)/oneapi'],
    ['DATABASE_URL', 'mysql://root:CANARY@localhost/x'],
    ['DATABASE_URL', 'postgres://root:CANARY%zz@localhost/x'],
    ['REDIS_URL', 'http://root:CANARY@localhost'],
    ['REDIS_CONN_STRING', 'redis://root:CANARY%zz@localhost'],
    ['CRYPTO_SECRET', 'CANARY'],
    ['CRYPTO_SECRET', 'random_string'],
    ['CRYPTO_SECRET_PREVIOUS', 'CANARY'],
  ]
  for (const [name, value] of table) {
    try {
      readEnvironment({ [name]: value })
      t.fail(`${name} took ${value}`)
    } catch (error) {
      const { message } = error as Error
      t.match(message, new RegExp(`^${name} takes .*; the given value is not that\\.$`))
      t.notMatch(message, /CANARY/)
    }
  }
})

t.test('two names for the database must not mean two databases', async (t) => {
  const one = 'postgres://a@h/one'
  t.equal(readEnvironment({ DATABASE_URL: one, SQL_DSN: one }).environment.databaseUrl, one)
  t.throws(() => readEnvironment({ DATABASE_URL: one, SQL_DSN: 'postgres://a@h/two' }), {
    message: 'DATABASE_URL and SQL_DSN name different databases; set one of the two.',
  })
})

t.test('two names for Redis must not mean two servers', async (t) => {
  t.throws(() => readEnvironment({ REDIS_URL: 'redis://one', REDIS_CONN_STRING: 'redis://two' }), {
    message: 'REDIS_URL and REDIS_CONN_STRING name different servers; set one of the two.',
  })
})

t.test('names without effect are reported, and only those that are set', async (t) => {
  const { ineffective } = readEnvironment({
    SQLITE_PATH: 'one-api.db',
    SESSION_SECRET: 'x',
    MEMORY_CACHE_ENABLED: '',
    PATH: '/bin',
  })
  t.strictSame(ineffective, ['SESSION_SECRET', 'SQLITE_PATH'])
})

t.test('certificate and key are named together, and read later', async (t) => {
  const both = { TLS_CERT: '/etc/cert.pem', TLS_KEY: '/etc/key.pem' }
  t.strictSame(readEnvironment(both).environment.tls, {
    certFile: '/etc/cert.pem',
    keyFile: '/etc/key.pem',
  })
  t.throws(() => readEnvironment({ TLS_CERT: 'cert.pem' }), {
    message: 'TLS_CERT is set without TLS_KEY; set both, or neither.',
  })
  t.throws(() => readEnvironment({ TLS_KEY: 'key.pem' }), {
    message: 'TLS_KEY is set without TLS_CERT; set both, or neither.',
  })
})
