/** Puts the focus back into a part of the page whose focused control is gone, such as a form that is done. */
import { nextTick, type Ref } from 'vue'

export function useFocusWithin(box: Ref<HTMLElement | undefined>): () => Promise<void> {
  return async () => {
    await nextTick()
    box.value?.querySelector<HTMLElement>('button:not(:disabled), input, [tabindex]')?.focus()
  }
}
