/**
 * A plugin that runs in a thread of its own. The gateway calls it as any other; a call waits until the thread returns. A thread that
 * does not return in time is ended, that call and those under way fail, and the plugin is imported again in a new one.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Clock, Life, Log, PureKit } from '../../contract/kit.js'
import type { Manifest } from '../../contract/manifest.js'
import { timeLimits, within } from '../verb.js'
import { type Callable, mirrored } from './description.js'
import { reused } from './reused.js'
import { valuesOf } from './settings.js'
import { PluginThread } from './thread.js'
import type { Created } from './worker.js'

export interface IsolatedOptions {
  readonly manifest: Manifest
  /** Address of its module. */
  readonly entry: string
  readonly kit: PureKit
  readonly clock: Clock
  readonly log: Log
  /** Called when its thread ended, and when another one serves. */
  onChange(isServing: boolean): void
}

const restart = {
  /** A thread that served for as long is replaced at once when it ends, in milliseconds. */
  steadyMs: 1_000,
  /** Any other is waited for, twice as long each time. */
  delayMsMin: 100,
  delayMsMax: 60_000,
} as const

/** What `create` of the plugin returned, as the gateway calls it. Rejects with what is wrong. Its `stop` ends the thread. */
export async function createIsolated(options: IsolatedOptions): Promise<object & Life> {
  const plugin = new Isolated(options)
  const { description } = await plugin.begin()
  const object = mirrored(description, plugin.functionAt) as object & Life
  const { stop } = object
  return Object.assign(object, {
    async stop() {
      try {
        if (plugin.isRunning) await stop?.()
      } finally {
        plugin.end()
      }
    },
  })
}

class Isolated {
  /** The one that serves. Absent: it is being started, or failed to. */
  private thread: PluginThread | undefined
  private group = 0
  private beganAt = 0
  private first: Created | undefined
  private delayMs = 0
  private isOver = false

  constructor(private readonly options: IsolatedOptions) {
    options.kit.settings.onChange(() => this.thread?.update(this.settings()))
  }

  get isRunning(): boolean {
    return this.thread !== undefined
  }

  readonly functionAt = (at: number): Callable => {
    return (...given) => {
      const result = this.ready().call(this.group, at, given)
      return result instanceof Promise ? result : reused(result, given[0])
    }
  }

  end(): void {
    this.isOver = true
    this.thread?.end(new Error('it was switched off or replaced'))
  }

  private ready(): PluginThread {
    if (this.thread !== undefined) return this.thread
    if (this.isOver) throw new Error('it was switched off or replaced')
    throw new Error('its thread is being started')
  }

  /** Rejects with what is wrong, and leaves no thread then. */
  async begin(): Promise<Created> {
    const { manifest, entry, clock, log } = this.options
    const thread = new PluginThread({ id: manifest.id, log, onEnd: () => this.ended(thread) })
    try {
      const creation = { id: manifest.id, entry, settings: this.settings() }
      const limit = { verb: 'create', limitMs: timeLimits.create }
      const created = await within(clock, limit, () => thread.create(creation))
      this.first ??= created
      if (!isDeepStrictEqual(created, this.first)) {
        throw new Error('its code is not what it was; load the plugin again')
      }
      if (this.isOver) throw new Error('it is not used any more')
      this.thread = thread
      this.group = created.group
      this.beganAt = clock.monotonic()
      return created
    } catch (error) {
      thread.end(error as Error)
      throw error
    }
  }

  private ended(thread: PluginThread): void {
    if (this.thread !== thread) return
    this.thread = undefined
    if (this.isOver) return
    const { manifest, clock, log, onChange } = this.options
    log.error({ plugin: manifest.id }, 'the thread of a plugin ended and is started again')
    onChange(false)
    if (clock.monotonic() - this.beganAt >= restart.steadyMs) this.delayMs = 0
    this.beginLater()
  }

  private beginLater(): void {
    const { manifest, clock, log, onChange } = this.options
    const { delayMsMin, delayMsMax } = restart
    clock.after(this.delayMs, async () => {
      if (this.isOver) return
      try {
        await this.begin()
        onChange(true)
      } catch (err) {
        log.error({ plugin: manifest.id, err }, 'the thread of a plugin does not start')
        this.beginLater()
      }
    })
    this.delayMs = Math.min(Math.max(this.delayMs * 2, delayMsMin), delayMsMax)
  }

  private settings() {
    return valuesOf(this.options.kit.settings, this.options.manifest.settings)
  }
}
