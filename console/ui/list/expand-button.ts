/** What opens a row for more of it: a real button, since the library's own cannot be reached by keyboard. */
import { ChevronRight } from '@lucide/vue'
import { h, type VNode } from 'vue'

/** The click bubbles to the library, which opens the row; Enter and the space bar click as well. */
export function expandButton(expanded: boolean, name: string): VNode {
  return h(
    'button',
    {
      type: 'button',
      class: 'expand-button',
      'aria-expanded': expanded,
      'aria-label': name,
      style: buttonStyle,
    },
    h(ChevronRight, { size: 16, 'aria-hidden': 'true' }),
  )
}

const buttonStyle = {
  display: 'inline-flex',
  padding: '2px',
  border: '0',
  borderRadius: '6px',
  background: 'none',
  color: 'inherit',
  cursor: 'pointer',
}
