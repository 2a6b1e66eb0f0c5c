/** Colours code by highlight.js with its common languages, loaded when the first code is shown. */
import { shallowRef } from 'vue'
import type { Colouring } from './parser.js'

/** Longer code stays plain: some grammars take the square of its length. */
const colouredMax = 20_000
/** Where that held up the page once, only short pieces are coloured from then on. */
const longMs = 200
const shortMax = 2_000

let longest = colouredMax

export const colouring = shallowRef<Colouring>()

let isScheduled = false

export function loadColouring(): void {
  if (isScheduled) return
  isScheduled = true
  load().catch(() => {
    // Plain code can be read too; the next piece tries again.
    isScheduled = false
  })
}

async function load(): Promise<void> {
  const { default: highlight } = await import('highlight.js/lib/common')
  colouring.value = (code, language) => {
    if (code.length > longest || highlight.getLanguage(language) === undefined) return undefined
    const started = performance.now()
    const { value } = highlight.highlight(code, { language, ignoreIllegals: true })
    if (performance.now() - started > longMs) longest = shortMax
    return value
  }
}
