/** Back to the table, as it was left: its page and filters stand in its address. */
import { useRouter } from 'vue-router'

export function useBack(): () => void {
  const router = useRouter()
  return () => {
    const { back } = router.options.history.state
    const isTable = typeof back === 'string' && /^\/channels(?:\?|$)/.test(back)
    if (isTable) router.back()
    else void router.push({ name: 'channels' })
  }
}
