/** From "they have shown who they are" to the page they wanted, by way of the second step. */
import { ref } from 'vue'
import { useRouter } from 'vue-router'
import type { SignInAnswer } from '../../api/session.js'
import { useSession } from '../../shell/session.js'

/** `target`: a path of this site. */
export function useEntrance(target: () => string) {
  const router = useRouter()
  const session = useSession()
  /** What the second step belongs to; undefined: there is none to be done. */
  const flow = ref<string>()

  async function enter(): Promise<void> {
    await session.read()
    await router.replace(target())
  }

  async function take(answer: SignInAnswer): Promise<void> {
    if (answer.require_2fa) flow.value = answer.flow_token ?? ''
    else await enter()
  }

  function restart(): void {
    flow.value = undefined
  }

  return { flow, enter, take, restart }
}
