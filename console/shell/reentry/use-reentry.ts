/**
 * What becomes of a page whose session has ended. Where something was typed in it, it stays and its person signs in over it;
 * any other gives way to the login.
 */
import { useQueryClient } from '@tanstack/vue-query'
import { onMounted, onUnmounted, watch } from 'vue'
import { useRouter } from 'vue-router'
import { isAnythingUnsaved } from '../../ui/form/use-unsaved.js'
import { useSession } from '../session.js'
import { reentry } from './reentry.js'

export interface Reentry {
  /** A request was refused since nobody is signed in. True: the same person is again, and it may go out once more. */
  signedInAgain(isWrite: boolean): Promise<boolean>
}

export function useReentry(toLogin: () => void): Reentry {
  const router = useRouter()
  const session = useSession()
  const queryClient = useQueryClient()
  let isTyped = false
  /** The person has closed the dialog: only what they do themselves opens it again. */
  let isDeclined = false
  let writes = 0

  function typed(): void {
    isTyped = true
  }

  session.whenOver(() => {
    const isAtStake = writes > 0 || isTyped || isAnythingUnsaved()
    if (!isAtStake) toLogin()
    else if (writes > 0 || !isDeclined) void reentry.ask()
    return isAtStake
  })

  async function signedInAgain(isWrite: boolean): Promise<boolean> {
    const before = session.self?.id
    if (before === undefined) return false
    writes += Number(isWrite)
    try {
      const now = await session.readAnew()
      if (now !== undefined) return now.id === before
      return (await reentry.pending.value?.back) ?? false
    } finally {
      writes -= Number(isWrite)
    }
  }

  watch(reentry.pending, async (now, before) => {
    document.documentElement.toggleAttribute('data-covered', now !== undefined)
    if (before === undefined) return
    const isBack = await before.back
    isDeclined = !isBack
    if (isBack) void queryClient.invalidateQueries()
  })
  const end = router.afterEach((to, from) => {
    if (to.path === from.path) return
    isTyped = false
    isDeclined = false
  })
  onMounted(() => addEventListener('input', typed, { capture: true }))
  onUnmounted(() => {
    end()
    removeEventListener('input', typed, { capture: true })
  })
  return { signedInAgain }
}
