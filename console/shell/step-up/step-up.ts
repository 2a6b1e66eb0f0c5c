/** Step-up verification: requested when an operation needs a proof, and done in the dialog. */
import { shallowRef } from 'vue'

interface PendingProof {
  readonly scope: string
  /** Undefined: the person would not. */
  readonly answer: (proof: string | undefined) => void
}

const pending = shallowRef<PendingProof>()
let last: Promise<unknown> = Promise.resolve()

/** One question at a time; the next waits for the answer to this one. */
function ask(scope: string): Promise<string | undefined> {
  const before = last
  const answered = before.then(
    () =>
      new Promise<string | undefined>((resolve) => {
        pending.value = {
          scope,
          answer(proof) {
            pending.value = undefined
            resolve(proof)
          },
        }
      }),
  )
  last = answered
  return answered
}

export const stepUp = { pending, ask }
