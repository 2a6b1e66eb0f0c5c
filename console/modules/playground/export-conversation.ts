/** Hands the conversation out as a file of JSON. */
import { saveFile } from '../../ui/save-file.js'
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
  const name = `playground-${whole.exported_at.slice(0, 19).replaceAll(':', '-')}.json`
  saveFile(name, 'application/json', JSON.stringify(whole, null, 2))
}
