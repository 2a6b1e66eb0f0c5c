/**
 * Texts that plugins ship in other languages: titles and helps of their fields, words for units. They are found by the text
 * as the manifest has it, so a text of two plugins is shown in the words of the one that was read last.
 */
import { shallowReactive } from 'vue'
import { locale } from '../shell/i18n.js'

/** By language, then by the text as it stands in the manifest. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>

const shipped = shallowReactive(new Map<string, string>())

/**
 * `translations` of a manifest; undefined where it has none. Texts of a region, as `zh-CN`, are those of its language where
 * that has none of its own.
 */
export function learnTexts(translations: Translations = {}): void {
  for (const [tag, texts] of Object.entries(translations)) {
    const [language = tag] = tag.split('-')
    const own = language === tag ? undefined : translations[language]
    for (const [text, words] of Object.entries(texts)) {
      if (own?.[text] === undefined) shipped.set(`${language} ${text}`, words)
    }
  }
}

/** What nobody translated is shown as it is. */
export function shippedText(text: string): string {
  return shipped.get(`${locale.value} ${text}`) ?? shipped.get(`en ${text}`) ?? text
}
