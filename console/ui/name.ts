/**
 * `v-name="text"`: the accessible name of a control whose library gives it none. Set on every part of the
 * element that can have the focus, or on the element itself.
 */
import type { Directive } from 'vue'
import { controls, partsOf } from './control-parts.js'
import { dressSelects } from './select-roles.js'

const named = `${controls}, button, [role=checkbox]`

export const name: Directive<HTMLElement, string | undefined> = {
  mounted: (element, { value }) => nameControls(element, value),
  updated: (element, { value }) => nameControls(element, value),
}

export function nameControls(element: HTMLElement, text: string | undefined): void {
  if (!text) return
  dressSelects(element)
  const targets = element.matches(named)
    ? [element]
    : [...element.querySelectorAll<HTMLElement>(named)]
  const done = new Set<HTMLElement>()
  for (const { element: part, place } of targets.flatMap(partsOf)) {
    // What is within another control was named with it.
    if (done.has(part)) continue
    done.add(part)
    if (part.getAttribute('aria-label') !== null && part.dataset.named !== 'true') continue
    part.setAttribute('aria-label', place ? `${text}: ${place}` : text)
    part.dataset.named = 'true'
  }
}
