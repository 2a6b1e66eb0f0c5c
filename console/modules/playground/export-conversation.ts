/** Hands the conversation out as a file of JSON. */
import type { Turn } from './conversation.js'
import type { Settings } from './settings.js'

export function exportConversation(turns: readonly Turn[], settings: Settings): void {
  const { group, system, stream, parameters } = settings
  const whole = {
    exported_at: new Date().toISOString(),
    settings: { group, system, stream, parameters },
    turns: turns.map(({ text, pictures, answers }) => ({
      ...{ text, pictures, answers: Object.values(answers) },
    })),
  }
  const file = new Blob([JSON.stringify(whole, null, 2)], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `playground-${whole.exported_at.slice(0, 19).replaceAll(':', '-')}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}
