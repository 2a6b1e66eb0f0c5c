/** The newest turns of a long conversation: earlier turns are rendered on demand. */
import { computed, type Ref, ref } from 'vue'
import type { Turn } from './conversation.js'

const atOnce = 40

export function useShownTurns(turns: Readonly<Ref<readonly Turn[]>>) {
  const count = ref(atOnce)
  const hidden = computed(() => Math.max(0, turns.value.length - count.value))
  return {
    hidden,
    shown: computed(() => turns.value.slice(hidden.value)),
    more(): void {
      count.value += atOnce
    },
  }
}
