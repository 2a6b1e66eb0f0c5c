/** A session that ended under a page: who was signed in may sign in over it, and what was refused goes out anew. */
import { shallowRef } from 'vue'
import type { Self } from '../../api/self.js'

interface PendingReentry {
  readonly back: Promise<boolean>
  /** True: the same person is signed in again. */
  readonly answer: (isBack: boolean) => void
}

const pending = shallowRef<PendingReentry>()
/** Somebody else has signed in instead. */
const other = shallowRef<Self>()

/** However many requests were refused, the person is asked once. */
function ask(): Promise<boolean> {
  pending.value ??= begun()
  return pending.value.back
}

function begun(): PendingReentry {
  let answer: (isBack: boolean) => void = () => undefined
  const back = new Promise<boolean>((resolve) => {
    answer = (isBack) => {
      pending.value = undefined
      other.value = undefined
      resolve(isBack)
    }
  })
  return { back, answer }
}

export const reentry = { pending, other, ask }
