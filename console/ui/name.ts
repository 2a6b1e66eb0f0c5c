/**
 * `v-name="text"`: the name a screen reader says for a control whose library gives it none. Set on the first part of the
 * element that can have the focus, or on the element itself.
 */
import type { Directive } from 'vue'

const controls = [
  'input',
  'textarea',
  'button',
  '[role=switch]',
  '[role=checkbox]',
  '[role=slider]',
  '[role=combobox]',
  '[tabindex]',
].join(',')

export const name: Directive<HTMLElement, string | undefined> = {
  mounted: (element, { value }) => call(element, value),
  updated: (element, { value }) => call(element, value),
}

function call(element: HTMLElement, text: string | undefined): void {
  if (!text) return
  const targets = element.matches(controls)
    ? [element]
    : [...element.querySelectorAll<HTMLElement>(controls)]
  for (const target of targets) {
    if (target.getAttribute('aria-label') === null || target.dataset.named === 'true') {
      target.setAttribute('aria-label', text)
      target.dataset.named = 'true'
    }
  }
}
