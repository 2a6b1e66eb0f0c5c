/** A full test of a channel, request by request: a page that is closed, or a person who stops it, sends no more. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, onUnmounted, reactive, ref } from 'vue'
import {
  type RequestResult,
  readFullRequests,
  sendFullRequest,
} from '../../../api/channel-tests.js'
import { messageOf } from '../../../api/failure.js'

export type FullRow =
  | { readonly state: 'waiting' | 'running'; readonly name: string }
  | ({ readonly state: RequestResult['outcome'] } & RequestResult)

/** After it no more are sent. */
const totalMs = 600_000

export function useFullTest(channelId: number) {
  const queryClient = useQueryClient()
  const names = useQuery({ queryKey: ['channel-full-requests'], queryFn: readFullRequests })
  const done = reactive(new Map<string, FullRow>())
  const running = ref(false)
  let under = new AbortController()

  const rows = computed<readonly FullRow[]>(() =>
    (names.data.value ?? []).map((name) => done.get(name) ?? { name, state: 'waiting' }),
  )

  async function start(model: string): Promise<void> {
    under = new AbortController()
    const { signal } = under
    const until = performance.now() + totalMs
    done.clear()
    running.value = true
    for (const name of names.data.value ?? []) {
      if (signal.aborted || performance.now() > until) break
      done.set(name, { name, state: 'running' })
      const row = await sent({ name, model }, signal)
      if (row === undefined) done.delete(name)
      else done.set(name, row)
    }
    running.value = false
  }

  /** Undefined: it was stopped meanwhile. */
  async function sent(
    terms: { readonly name: string; readonly model: string },
    signal: AbortSignal,
  ): Promise<FullRow | undefined> {
    try {
      const result = await sendFullRequest(channelId, terms, signal)
      return { ...result, state: result.outcome }
    } catch (error) {
      if (signal.aborted) return undefined
      const words = messageOf(error)
      return { name: terms.name, state: 'failed', outcome: 'failed', ms: 0, words }
    }
  }

  function stop(): void {
    under.abort()
  }

  onUnmounted(() => {
    stop()
    void queryClient.invalidateQueries({ queryKey: ['channel-health'] })
  })

  return { names, rows, running, start, stop }
}
