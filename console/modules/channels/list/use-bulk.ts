/** Work on many chosen channels: a few at a time, with the result of each; it waits where the gateway requires it (LIMIT-8). */
import { useQueryClient } from '@tanstack/vue-query'
import { reactive, readonly } from 'vue'
import { testChannel } from '../../../api/channel-tests.js'
import { type Channel, deleteChannels, switchChannels } from '../../../api/channels.js'
import { ApiFailure, messageOf } from '../../../api/failure.js'

export type BulkVerb = 'enable' | 'disable' | 'remove' | 'test'

export interface BulkItem {
  readonly id: number
  readonly name: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'left'
  /** Why it failed, or what a test found. */
  message: string
  ms?: number
}

export interface BulkRun {
  verb: BulkVerb | undefined
  items: BulkItem[]
  running: boolean
  stopped: boolean
  /** Seconds the gateway requires to wait; 0: none. */
  pause: number
}

/** One write holds so many channels, and so many tests run at once. */
const sizes: Readonly<Record<BulkVerb, number>> = {
  enable: 20,
  disable: 20,
  remove: 20,
  test: 1,
}
const testsAtOnce = 3

/** Kept beyond the page: who comes back finds how it went on. */
const run = reactive<BulkRun>({
  verb: undefined,
  items: [],
  running: false,
  stopped: false,
  pause: 0,
})

/** Ends the pauses of all workers. */
let awake = new AbortController()

export function useBulk() {
  const queryClient = useQueryClient()
  const again = () => queryClient.invalidateQueries({ queryKey: ['channels'] })

  async function start(verb: BulkVerb, channels: readonly Channel[]): Promise<void> {
    if (run.running) return
    const items = channels.map(({ id, name }) => ({
      ...{ id, name, message: '' },
      state: 'waiting' as const,
    }))
    awake = new AbortController()
    Object.assign(run, { verb, items, running: true, stopped: false, pause: 0 })
    const parts = chunked(run.items, sizes[verb]).values()
    const workers = verb === 'test' ? testsAtOnce : 1
    await Promise.all(Array.from({ length: workers }, () => through(parts, verb)))
    for (const item of run.items) if (item.state === 'waiting') item.state = 'left'
    run.running = false
    await again()
  }

  async function through(parts: Iterable<BulkItem[]>, verb: BulkVerb): Promise<void> {
    for (const part of parts) {
      if (run.stopped) return
      for (const item of part) item.state = 'running'
      await settled(part, verb)
      void again()
    }
  }

  return {
    run: readonly(run),
    start,
    stop() {
      run.stopped = true
      awake.abort()
    },
    close: () => void Object.assign(run, { verb: undefined, items: [] }),
  }
}

async function settled(part: BulkItem[], verb: BulkVerb): Promise<void> {
  try {
    await work(part, verb)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 429 && error.retryAfter !== undefined) {
      await pause(error.retryAfter)
      if (!run.stopped) return settled(part, verb)
    }
    for (const item of part) Object.assign(item, { state: 'failed', message: messageOf(error) })
  }
}

async function work(part: BulkItem[], verb: BulkVerb): Promise<void> {
  if (verb === 'test') return test(part)
  const ids = part.map(({ id }) => id)
  if (verb === 'remove') await deleteChannels({ ids })
  else await switchChannels(ids, verb === 'enable')
  for (const item of part) item.state = 'done'
}

async function test(part: BulkItem[]): Promise<void> {
  for (const item of part) {
    const { ok, message, ms } = await testChannel(item.id)
    Object.assign(item, { state: ok ? 'done' : 'failed', message, ms })
  }
}

/** Ends early where the person stops the work. */
async function pause(seconds: number): Promise<void> {
  run.pause = seconds
  await new Promise<unknown>((resolve) => {
    setTimeout(resolve, seconds * 1000)
    awake.signal.addEventListener('abort', resolve)
  })
  run.pause = 0
}

function chunked<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}
