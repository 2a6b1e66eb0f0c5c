/** What a task would cost by the card as it is typed: asked of the gateway a moment after the last key. */
import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import { messageOf } from '../../../api/failure.js'
import { type CardExample, type ExampleAsk, tryCard } from '../../../api/prices.js'

const pauseMs = 300

/** Undefined: there is no card to ask about yet. */
export function useExample(ask: () => ExampleAsk | undefined) {
  const example = shallowRef<CardExample>()
  const problem = ref('')
  const waits = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0

  async function read(wanted: ExampleAsk, turn: number): Promise<void> {
    const [found, fault] = await tryCard(wanted).then(
      (result) => [result, ''] as const,
      (error: unknown) => [undefined, messageOf(error)] as const,
    )
    // An older question may be answered later.
    if (turn !== last) return
    example.value = found
    problem.value = fault
    waits.value = false
  }

  watch(
    () => JSON.stringify(ask()),
    () => {
      clearTimeout(timer)
      last += 1
      const wanted = ask()
      waits.value = wanted !== undefined
      if (wanted === undefined) {
        example.value = undefined
        problem.value = ''
        return
      }
      const turn = last
      timer = setTimeout(() => void read(wanted, turn), pauseMs)
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    clearTimeout(timer)
    last += 1
  })

  return { example, problem, waits }
}
