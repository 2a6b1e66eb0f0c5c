/** Counts down until something may be tried again: the wait of a response 429 (LIMIT-8), or a pause of our own. */
import { onScopeDispose, type Ref, ref } from 'vue'
import { ApiFailure } from '../api/failure.js'

export interface Wait {
  /** Seconds left; 0: now. */
  readonly left: Ref<number>
  start(seconds: number): void
  /** Waits where the gateway requires it. */
  heed(error: unknown): void
}

export function useWait(): Wait {
  const left = ref(0)
  let until = 0
  let ticking: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(ticking)
    ticking = undefined
  }

  function tick(): void {
    left.value = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    if (left.value === 0) stop()
  }

  function start(seconds: number): void {
    until = Date.now() + seconds * 1000
    ticking ??= setInterval(tick, 250)
    tick()
  }

  onScopeDispose(stop)
  return {
    left,
    start,
    heed(error) {
      if (error instanceof ApiFailure && error.retryAfter !== undefined) start(error.retryAfter)
    },
  }
}
