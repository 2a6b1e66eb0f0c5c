/**
 * Texts that plugins ship in other languages: titles and helps of their fields, words for units. They are found by the text
 * as the manifest has it, so a text of two plugins is shown in the words of the one that was read last.
 */
import { shallowReactive } from 'vue'
import { locale } from '../shell/i18n.js'

/** By language, then by the text as it stands in the manifest. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>

const shipped = shallowReactive(new Map<string, string>())

/** `translations` of a manifest; undefined where it has none. */
export function learnTexts(translations: Translations | undefined): void {
  for (const [language, texts] of Object.entries(translations ?? {})) {
    for (const [text, words] of Object.entries(texts)) shipped.set(`${language} ${text}`, words)
  }
}

/** What nobody translated is shown as it is. */
export function shippedText(text: string): string {
  return shipped.get(`${locale.value} ${text}`) ?? shipped.get(`en ${text}`) ?? text
}
