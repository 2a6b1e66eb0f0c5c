/** Ties the text below a control to it for screen readers: its explanation and its error. */
import { onUpdated, type Ref } from 'vue'
import { useAdded } from '../../../ui/use-added.js'

const controls = '[role=group], input, textarea, [role=switch], [role=combobox], [tabindex]'

export function useDescribed(
  box: Ref<HTMLElement | undefined>,
  /** Id of the text. */
  id: string,
  isFaulty: () => boolean,
): void {
  function describe(): void {
    const control = box.value?.querySelector(controls)
    control?.setAttribute('aria-describedby', id)
    if (control?.getAttribute('role') !== 'group') {
      control?.setAttribute('aria-invalid', String(isFaulty()))
    }
  }

  useAdded(box, describe)
  onUpdated(describe)
}
