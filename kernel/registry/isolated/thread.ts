/** Starts the thread of a plugin and ends it; what it writes and what nobody catches in it are lines of the log. */
import type { Readable } from 'node:stream'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Log } from '../../contract/kit.js'
import type { Callable } from './description.js'
import { firstGroup } from './offers.js'
import { Peer, signalsLength } from './peer.js'
import type { SettingValues } from './settings.js'
import type { Created, Creation, ThreadData } from './worker.js'

/** What each thread may use. */
export const threadLimits = {
  /** How long one call may keep the process waiting, in milliseconds; a mebibyte of arguments adds a tenth of a second. */
  callMs: 2_000,
  /** Of objects; what lies in buffers is not counted by Node.js. */
  heapMb: 512,
  /** Lines of the log within a second, and characters of each. */
  linesMax: 10,
  lineMax: 2_000,
} as const

export interface ThreadOptions {
  /** Id of the plugin. */
  readonly id: string
  readonly log: Log
  /** Called once, when it has ended by itself or by a call that did not return. */
  onEnd(thread: PluginThread): void
}

export class PluginThread {
  private readonly worker: Worker
  private readonly peer: Peer
  private readonly port: MessagePort
  private isEnded = false
  private lines = 0
  private linesFrom = 0

  constructor(private readonly options: ThreadOptions) {
    const { port1, port2 } = new MessageChannel()
    const signals = new Int32Array(new SharedArrayBuffer(signalsLength * 4))
    const thread: ThreadData = { port: port2, signals }
    this.worker = new Worker(new URL('./worker.js', import.meta.url), {
      ...{ workerData: { thread }, transferList: [port2] },
      ...{ env: {}, argv: [], execArgv: [], stdout: true, stderr: true },
      ...{ name: options.id, resourceLimits: { maxOldGenerationSizeMb: threadLimits.heapMb } },
    })
    this.peer = new Peer({
      ...{ port: port1, signals, side: 'gateway', limitMs: threadLimits.callMs },
      functions: [(text: unknown) => this.note({ stack: cut(text) }, uncaught)] as Callable[],
      broken: (reason) => this.end(reason),
    })
    this.worker.on('error', (err) => this.end(err))
    this.worker.on('exit', () => this.end(new Error('its thread ended')))
    this.logLines(this.worker.stdout)
    this.logLines(this.worker.stderr)
    this.port = port1
  }

  /** Until it settles the thread keeps the process alive. */
  async create(creation: Creation): Promise<Created> {
    try {
      return (await this.peer.send({ group: firstGroup, at: 0 }, [creation])) as Created
    } finally {
      this.worker.unref()
      this.port.unref()
    }
  }

  /** Nobody waits for it, and a thread that ends has new ones when it starts again. */
  update(values: SettingValues): void {
    this.peer.send({ group: firstGroup, at: 1 }, [values]).catch(() => {})
  }

  call(group: number, at: number, given: readonly unknown[]): unknown {
    return this.peer.call({ group, at }, given)
  }

  /** Whatever it is doing. What was called fails with the reason. */
  end(reason: Error): void {
    if (this.isEnded) return
    this.isEnded = true
    this.peer.close(reason)
    void this.worker.terminate()
    this.options.onEnd(this)
  }

  private logLines(output: Readable): void {
    output.on('data', (bytes: Buffer) => this.note({ text: cut(bytes) }, 'a plugin wrote this'))
  }

  private note(fields: object, message: string): void {
    const now = performance.now()
    if (now - this.linesFrom > 1000) {
      this.linesFrom = now
      this.lines = 0
    }
    this.lines += 1
    if (this.lines <= threadLimits.linesMax) {
      this.options.log.warn({ plugin: this.options.id, ...fields }, message)
    }
  }
}

const uncaught = 'an error of a plugin was not caught in its thread'

function cut(text: unknown): string {
  return String(text).slice(0, threadLimits.lineMax)
}
