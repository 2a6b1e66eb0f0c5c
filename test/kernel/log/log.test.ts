/** The log: one JSON line per event whatever it is given, and no secret in it (X3, X17). */
import t from 'tap'
import { createLog, withFields } from '../../../kernel/log/log.js'
import { createKnownSecrets } from '../../../kernel/toolkit/service/known-secrets.js'
import { createRedaction } from '../../../kernel/toolkit/service/redaction.js'

function recorded() {
  const lines: string[] = []
  const log = createLog({
    name: 'waybill',
    level: 'info',
    stream: { write: (line) => lines.push(line) },
  })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') }
}

t.test('each event is one line of JSON, whatever line breaks its fields hold (X17)', async (t) => {
  const { log, lines, last } = recorded()
  log.info({ model: 'gpt\n{"level":50,"msg":"forged"}\r\n\tx' }, 'relayed\nforged')
  t.equal(lines.length, 1)
  t.match(lines[0], /^[^\n]+\n$/)
  t.equal(last().model, 'gpt\n{"level":50,"msg":"forged"}\r\n\tx')
  t.equal(last().name, 'waybill')
})

t.test('lines below the level are not written', async (t) => {
  const { log, lines } = recorded()
  log.debug({}, 'unheard')
  t.equal(lines.length, 0)
  log.warn({}, 'heard')
  t.equal(lines.length, 1)
})

t.test('big integers and circles do not cost the line', async (t) => {
  const { log, last } = recorded()
  const circle: Record<string, unknown> = { quota: 9007199254740993n }
  circle.self = circle
  const shared = { a: 1 }
  log.info({ circle, first: shared, second: shared }, 'settled')
  t.match(last(), {
    circle: { quota: '9007199254740993', self: '[circle]' },
    first: { a: 1 },
    second: { a: 1 },
  })
})

t.test('an error is logged with its stack and those of its causes', async (t) => {
  const { log, last } = recorded()
  log.error({ err: new Error('outer', { cause: new TypeError('inner') }) }, 'failed')
  t.equal(last().err.message, 'outer')
  t.match(last().err.stack, /log\.test/)
  t.match(last().err.stack, /Caused by: TypeError: inner/)
})

t.test('a narrowed log adds its fields to every line', async (t) => {
  const { log, last } = recorded()
  withFields(log, { plugin: 'service.ledger' }).warn({ job: 'sweep' }, 'slow')
  t.match(last(), { plugin: 'service.ledger', job: 'sweep', level: 40, msg: 'slow' })
})

t.test(
  'a secret the gateway was reported of never reaches the log, in any spelling (X3)',
  async (t) => {
    for (const canary of [
      'canary-0123',
      'with"quote\\and\nbreak',
      'pass/word+with=signs',
      'Schlüssel-ß€',
    ]) {
      const { log, lines } = recorded()
      log.secret(canary)
      const err = new Error(`upstream said: ${canary}!`)
      log.info(
        {
          plain: canary,
          inside: `x${canary}y`,
          address: `https://up.example/v1?q=${encodeURIComponent(canary)}&b=1`,
          nested: [{ deep: canary }],
          [canary]: 'as a key',
          err,
        },
        `message ${canary}`,
      )
      const line = lines.join('')
      t.notMatch(line, JSON.stringify(canary).slice(1, -1), canary)
      t.notMatch(line, encodeURIComponent(canary), canary)
      t.match(JSON.parse(line), { plain: '***', inside: 'x***y', nested: [{ deep: '***' }] })
    }
  },
)

t.test('a mask never cuts an escape sequence of the line in two', async (t) => {
  const { log, last } = recorded()
  log.secret('number1')
  log.info({ text: 'a\number1', path: 'c:\\number1' }, 'seen')
  t.match(last(), { text: 'a\number1', path: 'c:\\***' })
})

t.test('what looks like a secret is masked, and the rest of the line stays (X3)', async (t) => {
  const { log, lines, last } = recorded()
  const table: readonly (readonly [text: string, left: string])[] = [
    ['key sk-CANARYcanary0123456789 refused', 'key sk-*** refused'],
    ['authorization: Bearer CANARY.abc-123', 'authorization: Bearer ***'],
    ['Authorization: Basic Q0FOQVJZOnBhc3M=, next', 'Authorization: Basic ***, next'],
    ['x-api-key: CANARY123', 'x-api-key: ***'],
    ['x-goog-api-key=CANARY123 rest', 'x-goog-api-key=*** rest'],
    ['GET /v1beta/models/m?key=CANARY123&alt=sse', 'GET /v1beta/models/m?key=***&alt=sse'],
    ['postgres://way:CANARYp@ss@db.example:5432/bill', 'postgres://way:***@db.example:5432/bill'],
    ['{"password":"CANARY \\" x","name":"n"}', '{"password":"***'],
    ['token AIzaCANARYcanaryCANARYcanary0123456789a', 'token ***'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkiOjF9.CANARYsignature', 'jwt ***'],
  ]
  for (const [text, left] of table) {
    log.info({ text }, 'seen')
    t.equal(last().text.startsWith(left), true, `${text} → ${last().text}`)
    t.notMatch(lines.at(-1), /CANARY|Q0FOQVJZ|DQU5BUlki/, text)
    t.equal(last().msg, 'seen')
  }
})

t.test('fields named like a credential are masked at any depth', async (t) => {
  const { log, last, lines } = recorded()
  const headers = {
    authorization: 'CANARY-1',
    'x-api-key': 'CANARY-2',
    cookie: 'CANARY-3',
    accept: '*/*',
  }
  log.info({ headers, body: { password: 'CANARY-4 "x"', client_secret: 'CANARY-5' } }, 'refused')
  t.notMatch(lines.at(-1), /CANARY/)
  t.match(last(), { headers: { accept: '*/*', authorization: '***' }, body: { password: '***' } })
})

t.test('ordinary lines pass unchanged', async (t) => {
  const { log, last } = recorded()
  const fields = {
    requestId: 'req_01JD4Q6V9Z3X8K2M5N7P0R1S4T',
    tokenId: 12,
    tokenName: 'my key',
    url: 'https://host.example:8080/a@b/c',
    model: 'claude-sonnet',
    completionTokens: 5,
  }
  log.info(fields, 'risk-free basic token counts')
  t.match(last(), fields)
  t.equal(last().msg, 'risk-free basic token counts')
})

t.test('known values are found wherever they stand, however many are known', async (t) => {
  const known = createKnownSecrets()
  const values = Array.from({ length: 5000 }, (_, index) => `key-${index * 7919}-secret`)
  for (const value of values) known.add(value)
  for (const value of [values[0], values[2500], values[4999]]) {
    for (const around of [`${value}`, `a${value}`, `${value}z`, `ab ${value}${value} yz`]) {
      t.notMatch(known.mask(around), String(value))
      t.equal(known.mask(around), around.replaceAll(String(value), '***'))
    }
  }
  t.equal(known.mask('nothing to see'), 'nothing to see')
})

t.test('of two known values that begin alike the longer one is masked whole', async (t) => {
  const known = createKnownSecrets()
  known.add('secret')
  known.add('secret-and-more')
  t.equal(known.mask('<secret-and-more><secret>'), '<***><***>')
})

t.test('known values are bounded: the oldest is forgotten, one reported again stays', async (t) => {
  const known = createKnownSecrets(2)
  known.add('first-value')
  known.add('second-value')
  known.add('first-value')
  known.add('third-value')
  t.equal(known.mask('first-value second-value third-value'), '*** second-value ***')
})

t.test('values too short to tell from a word are left alone', async (t) => {
  const known = createKnownSecrets()
  known.add('level')
  t.equal(known.mask('{"level":30}'), '{"level":30}')
})

t.test('a web token is masked wherever it begins, and a word like one is not', async (t) => {
  const redaction = createRedaction()
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJDQU5BUlkiOjF9.CANARYsignature'
  const rows = [
    [`at-${token} end`, 'at-*** end'],
    [`eyJa.${token}`, 'eyJa.***'],
    [`${token}.CANARY.CANARY`, '***'],
    ['eyJustAName.txt', 'eyJustAName.txt'],
    ['eyJ', 'eyJ'],
  ] as const
  for (const [text, left] of rows) t.equal(redaction.mask(text), left, text)
})

t.test('a line is masked in time that grows with its length alone', async (t) => {
  const redaction = createRedaction()
  // A known value may itself be of backslashes, as its spelling in JSON is.
  redaction.add('\\\\'.repeat(8))
  const worst: Readonly<Record<string, string>> = {
    'what looks like a scheme': 'sk-a.',
    'beginnings of web tokens': 'eyJabcdefgh-',
    'web tokens': 'eyJabcdefgh.',
    backslashes: '\\',
    'quotes behind backslashes': '\\"token\\\\',
    blanks: 'token : ',
    'names without a value': 'password=;',
    credentials: '://a:',
    'more of an address': '://a:b/://',
    schemes: 'bearer ',
    keys: 'AIza-sk-',
    parameters: '?key=&',
  }
  for (const [name, piece] of Object.entries(worst)) {
    const lineOf = (length: number) => `"token secret sk- ${piece.repeat(length / piece.length)}"`
    const [short, long] = [lineOf(250_000), lineOf(1_000_000)]
    const least = (line: string) => Math.min(...[1, 2, 3, 4, 5].map(() => tookMs(line)))
    const ratio = least(long) / least(short)
    // Four times as long; what is quadratic takes sixteen times as long, and many seconds.
    t.ok(ratio < 10 || least(long) < 50, `${name}: ${ratio.toFixed(1)}`)
  }

  /** Time of the processor: neighbours on a busy machine take none of it. */
  function tookMs(line: string): number {
    const began = process.cpuUsage()
    redaction.mask(line)
    const { user, system } = process.cpuUsage(began)
    return Math.max((user + system) / 1000, 0.5)
  }
})

t.test(
  'what others wrote is cut before it is logged, secrets behind the cut included',
  async (t) => {
    const { log, last, lines } = recorded()
    const path = `/v1/models/${'a'.repeat(1000)}/sk-CANARYcanary0123456789/${'b'.repeat(15_000)}`
    log.info({ path, many: Array.from({ length: 5000 }, () => 1), status: 404 }, 'request')
    t.ok((lines.at(-1)?.length ?? 0) < 2500)
    t.notMatch(lines.at(-1), /CANARY/)
    t.match(last(), { status: 404, msg: 'request' })
    t.match(last().path, /… \[truncated\]$/)
    const error = new Error('no')
    error.stack = 'at here\n'.repeat(1500)
    log.error({ err: error }, 'failed')
    t.ok(last().err.stack.length > 4000, 'a stack may be longer')
  },
)

t.test(
  'an error that throws when it is read costs neither the line nor the one who logs it',
  async (t) => {
    const { log, lines, last } = recorded()
    const trap = () => {
      throw new Error('a trap')
    }
    const unreadable = new Error('x')
    for (const name of ['stack', 'message']) Object.defineProperty(unreadable, name, { get: trap })
    const values = [
      unreadable,
      new Error('y', { cause: unreadable }),
      { toJSON: trap },
      {
        get a() {
          return trap()
        },
      },
    ]
    for (const err of values) {
      log.error({ err, plugin: 'provider.bad' }, 'a plugin failed')
      t.match(last(), { plugin: 'provider.bad', msg: 'a plugin failed' })
    }
    t.equal(lines.length, values.length)
  },
)

t.test('a text is masked as a line is', async (t) => {
  const { log } = recorded()
  log.secret('a-key-of-a-channel')
  t.equal(log.masked('refused a-key-of-a-channel and sk-12345678901'), 'refused *** and sk-***')
})
