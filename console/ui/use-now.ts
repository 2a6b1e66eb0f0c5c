/** The time by this page's own steady clock, moving on every second: for ages that count up. */
import { onUnmounted, type Ref, ref } from 'vue'

const tickMs = 1_000

/** Milliseconds; only differences mean something. */
export function useNow(): Readonly<Ref<number>> {
  const now = ref(performance.now())
  const timer = setInterval(() => {
    now.value = performance.now()
  }, tickMs)
  onUnmounted(() => clearInterval(timer))
  return now
}
