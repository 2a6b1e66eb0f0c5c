/**
 * Keeps the console in step with the gateway while pages behind the sign-in are shown: the live socket belongs to who is
 * signed in. Where there is none, everything shown is read again every half minute.
 */
import { onMounted, onUnmounted, watch } from 'vue'
import { useThrottled } from '../ui/use-throttled.js'
import { isLive, startLive, stopLive } from './live.js'
import { queryClient } from './queries.js'
import { useSession } from './session.js'
import { useLive } from './use-live.js'

const pollMs = 30_000

export function useAccountLive(): void {
  const session = useSession()
  let timer: ReturnType<typeof setInterval> | undefined

  function readAccount(): void {
    void session.read().catch(() => undefined)
    void queryClient.invalidateQueries({ queryKey: ['account'] })
  }

  const terms = {
    isSignedIn: async () => (await session.read()) !== undefined,
    back: () => void queryClient.invalidateQueries(),
  }
  watch(
    // An admin who has to set up a second factor first is refused the socket.
    // Two sources: an array made by one would be another each time the person is read.
    [
      () => (session.self?.must_set_up_factor ? undefined : session.self?.id),
      () => session.returns,
    ],
    ([id]) => (id === undefined ? stopLive() : startLive(terms)),
    { immediate: true },
  )
  useLive('/live/account', useThrottled(readAccount))
  onMounted(() => {
    timer = setInterval(() => {
      if (isLive.value || document.visibilityState !== 'visible') return
      void session.read().catch(() => undefined)
      void queryClient.invalidateQueries()
    }, pollMs)
  })
  onUnmounted(() => {
    clearInterval(timer)
    stopLive()
  })
}
