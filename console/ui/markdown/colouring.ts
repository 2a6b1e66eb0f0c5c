/** Colours code by highlight.js with its common languages, loaded when the first code is shown. */
import { shallowRef } from 'vue'
import type { Colouring } from './parser.js'

/** Longer code stays plain: colouring it would hold up the page. */
const colouredMax = 100_000

export const colouring = shallowRef<Colouring>()

let asked = false

export function loadColouring(): void {
  if (asked) return
  asked = true
  load().catch(() => {
    // Plain code can be read too; the next piece tries again.
    asked = false
  })
}

async function load(): Promise<void> {
  const { default: highlight } = await import('highlight.js/lib/common')
  colouring.value = (code, language) => {
    if (code.length > colouredMax || highlight.getLanguage(language) === undefined) return undefined
    return highlight.highlight(code, { language, ignoreIllegals: true }).value
  }
}
