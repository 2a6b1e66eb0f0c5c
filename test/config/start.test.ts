/** The program as people start it: command line, words, exit status. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { commandOf, helpText } from '../../config/command-line.js'
import { greeting } from '../../config/greeting.js'
import { variables } from '../../config/variables.js'
import { programVersion } from '../../config/version.js'

const program = fileURLToPath(new URL('../../config/start.js', import.meta.url))

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: environment,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

t.test(
  '[OPS-1] the version is v<major>.<minor>.<patch>, with -preview.<n> for a preview',
  async (t) => {
    t.match(
      programVersion(),
      /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-preview\.(0|[1-9]\d*))?$/,
    )
    t.strictSame(run(['--version']), { status: 0, stdout: `${programVersion()}\n`, stderr: '' })
  },
)

t.test('--help names every variable, its default and what it takes', async (t) => {
  const { status, stdout } = run(['--help'])
  t.equal(status, 0)
  t.equal(stdout, `${helpText(programVersion())}\n`)
  for (const { name, defaultText, takes, meaning } of variables) {
    t.match(stdout, new RegExp(`^  ${name} `, 'm'))
    for (const part of [defaultText, takes, meaning]) t.ok(stdout.includes(part), part)
  }
})

t.test('a wrong value or argument is one sentence on stderr and exit status 1', async (t) => {
  t.strictSame(run([], { PORT: 'http' }), {
    status: 1,
    stdout: '',
    stderr: 'PORT takes a port from 0 to 65535; "http" is not that.\n',
  })
  t.strictSame(run(['--port=1']), {
    status: 1,
    stdout: '',
    stderr: '"--port=1" means nothing here; --help lists what does.\n',
  })
})

t.test('arguments say what is requested', async (t) => {
  t.equal(commandOf([]), 'start')
  t.equal(commandOf(['start']), 'start')
  t.equal(commandOf(['start', '--help']), 'help')
  t.equal(commandOf(['-h']), 'help')
  t.equal(commandOf(['-v']), 'version')
  t.throws(() => commandOf(['toString']), { message: /^"toString" means nothing here/ })
})

t.test(
  'the greeting states where it listens, where the data is and how safe it is there',
  async (t) => {
    const text = greeting({
      version: 'v1.0.5',
      address: 'http://0.0.0.0:3000',
      environment: { dataDir: '/var/lib/waybill' },
    })
    t.match(text, 'Waybill v1.0.5 is ready at http://127.0.0.1:3000')
    t.match(text, 'embedded database in /var/lib/waybill')
    t.match(text, 'not a loss of power')
    t.match(text, 'Console: http://127.0.0.1:3000\n')
    t.notMatch(text, 'setup')
    const onPostgres = greeting({
      version: 'v1.0.5',
      address: 'http://[::]:3000',
      environment: { dataDir: '/x', databaseUrl: 'postgres://way:CANARY@db.example:5432/bill' },
    })
    t.match(onPostgres, 'http://127.0.0.1:3000')
    t.match(onPostgres, 'PostgreSQL at db.example:5432/bill')
    t.notMatch(onPostgres, /CANARY|loss of power/)
  },
)

t.test('the greeting of a gateway that is not set up holds a line that sets it up', async (t) => {
  const text = greeting({
    version: 'v1.0.5',
    address: 'http://127.0.0.1:8080',
    environment: { dataDir: '/x' },
    setupCode: 'K7QF-22XM',
  })
  const [, url, body] =
    /curl (\S+) -H 'content-type: application\/json' \\\n +-d '(.*)'/.exec(text) ?? []
  t.equal(url, 'http://127.0.0.1:8080/api/setup')
  t.match(text, 'http://127.0.0.1:8080/setup#code=K7QF-22XM', 'behind the # no log sees it')
  const form = JSON.parse(body ?? '')
  t.match(form, { username: 'root', code: 'K7QF-22XM' })
  t.ok(form.password.length >= 8 && form.password === form.confirmPassword)
})
