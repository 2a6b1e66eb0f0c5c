/** What nobody catches: a plugin's faults are survived by the process, the kernel's own end it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Later } from '../kernel/registry/throwing-plugins.js'
import { throwingPlugins } from '../kernel/registry/throwing-plugins.js'

const program = fileURLToPath(new URL('./faulty-gateway.js', import.meta.url))

/** The program, with what it writes to wait for. */
async function started(t: Test) {
  const { PATH = '', HOME = '' } = process.env
  const plugins = fileURLToPath(throwingPlugins(t))
  const data = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  const child = spawn(process.execPath, ['--enable-source-maps', program, plugins, data], {
    env: { PATH, HOME },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(data, { recursive: true, force: true })
  })
  let text = ''
  let look = () => {}
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString('utf8')
    look()
  })

  function written(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      look = () => {
        const found = pattern.exec(text)
        if (found === null) return
        text = text.slice(found.index + found[0].length)
        resolve(found)
      }
      ended.then(() => reject(new Error(`the process ended: ${text}`)))
      look()
    })
  }

  function write(trouble: { readonly verb?: string; readonly way: string }): void {
    child.stdin.write(`${JSON.stringify(trouble)}\n`)
  }

  async function set(trouble: Parameters<typeof write>[0]): Promise<void> {
    write(trouble)
    await written(/^set$/m)
  }

  const [, url] = await written(/at (http:\S+)/)
  return { url, ended, written, write, set }
}

const ways: readonly (readonly [way: Later, line: RegExp])[] = [
  ['throws later', /boom in answer route.*"plugin":"endpoint.bad"/],
  ['throws in a timer', /boom in answer route.*"plugin":"endpoint.bad"/],
  ['emits an error', /boom in answer route.*"plugin":"endpoint.bad"/],
  ['rejects unheard', /boom in answer route.*"plugin":"endpoint.bad"/],
  ['throws a word later', /boom in answer route/],
  ['throws nothing later', /outside of the code of the gateway/],
  ['calls what is deprecated', /"plugin":"endpoint.bad".*use bearerRequest\(\)\./],
]

t.test(
  'whatever a plugin throws later, the process goes on and the log states whose it was',
  async (t) => {
    const { url, set, written } = await started(t)
    for (const [way, line] of ways) {
      await set({ verb: 'answer route', way })
      t.equal((await fetch(`${url}/v1/bad`)).status, 200, way)
      await written(line)
      await set({ verb: '', way })
      t.equal((await fetch(`${url}/api/status`)).status, 200, way)
    }
  },
)

t.test('a fault of the kernel that nobody caught is logged and ends the process', async (t) => {
  const { write, written, ended } = await started(t)
  write({ way: 'kernel' })
  await written(/"level":50.*no plugin was near.*the process ends/)
  const [code] = await ended
  t.equal(code, 1)
})
