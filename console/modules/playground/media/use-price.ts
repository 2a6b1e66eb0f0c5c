/** What a request would cost, as the gateway counts it: read again a moment after something of it was changed. */
import { onScopeDispose, ref, watch } from 'vue'
import { messageOf } from '../../../api/failure.js'
import { type MediaQuote, type MediaRequest, readMediaPrice } from '../../../api/media.js'

const pauseMs = 500

/** `request`: undefined while nothing is chosen. */
export function usePrice(request: () => MediaRequest | undefined) {
  const quote = ref<MediaQuote>()
  /** Why there is none. */
  const problem = ref('')
  /** Something was changed, and the price of that is not there yet. */
  const waits = ref(false)
  let pause: ReturnType<typeof setTimeout> | undefined
  let reading: AbortController | undefined

  function stop(): void {
    clearTimeout(pause)
    reading?.abort()
  }

  async function read(wanted: MediaRequest): Promise<void> {
    reading = new AbortController()
    const { signal } = reading
    try {
      const found = await readMediaPrice(wanted, signal)
      if (signal.aborted) return
      quote.value = found
      problem.value = ''
    } catch (error) {
      if (signal.aborted) return
      quote.value = undefined
      problem.value = messageOf(error)
    }
    waits.value = false
  }

  /** The price of another model is none of this one's, and is not shown until that is there. */
  function forget(): void {
    quote.value = undefined
    problem.value = ''
  }

  watch(
    () => JSON.stringify(request() ?? null),
    (text, before) => {
      stop()
      const wanted = JSON.parse(text) as MediaRequest | null
      const last = JSON.parse(before ?? 'null') as MediaRequest | null
      if (wanted?.model !== last?.model) forget()
      waits.value = wanted !== null
      if (wanted === null) return
      pause = setTimeout(() => void read(wanted), pauseMs)
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return { quote, problem, waits }
}
