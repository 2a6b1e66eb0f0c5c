/** A Redis of a test's own, which may be frozen and killed without anybody else noticing. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Test } from 'tap'
import { freePort } from '../../kit/free-port.js'

export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Starts it again, empty, at the same port. */
  start(): Promise<void>
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>
  /** SIGSTOP: it takes connections and answers nothing. */
  freeze(): void
  thaw(): void
}

/** Undefined: there is one here. Else why tests that need one are skipped. */
export const noRedis =
  spawnSync('redis-server', ['--version']).error === undefined
    ? undefined
    : 'no redis-server on this machine; test/services.sh installs one'

export async function redisServer(
  t: Pick<Test, 'teardown'>,
  flags: readonly string[] = [],
): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (child === undefined) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    child = undefined
    await gone
  }

  t.teardown(kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      const base = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
      child = spawn('redis-server', [...base, ...flags], { stdio: 'ignore' })
      while (!(await answers(port))) {
        if (child.exitCode !== null) throw new Error('redis-server did not start')
      }
    },
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
}

/** Any answer to PING shows that it serves, a refusal for want of a password too. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
