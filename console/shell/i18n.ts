/** Texts: the language of the person, and the texts of an area once its page is opened. */
import { computed, shallowRef } from 'vue'
import { createI18n } from 'vue-i18n'
import { type LibraryTexts, libraryTexts } from './library/words.js'
import type { ConsoleModule, Locale, Texts, Words } from './module.js'
import { recall, remember } from './remembered.js'

export const locales: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' }

const shellTexts = {
  en: () => import('./locales/en.js'),
  zh: () => import('./locales/zh.js'),
}

export const i18n = createI18n({
  legacy: false,
  locale: firstLocale(),
  fallbackLocale: 'en',
  missingWarn: import.meta.env.DEV,
  fallbackWarn: false,
})

const opened = new Set<ConsoleModule>()
const loaded = new Set<string>()

export const locale = computed<Locale>(() => i18n.global.locale.value as Locale)

/** What the component library shows by itself. */
export const library = shallowRef<LibraryTexts>()

/** A text that is there in every language without loading. */
export function inWords(words: Words): string {
  return words[locale.value]
}

export async function loadShellTexts(into: Locale = locale.value): Promise<void> {
  const [texts] = await Promise.all([libraryTexts[into](), load('shell', shellTexts[into], into)])
  library.value = texts
  document.documentElement.lang = into
}

/** Called before a page of the area is shown. */
export async function loadTexts(module: ConsoleModule): Promise<void> {
  opened.add(module)
  await load(module.id, module.texts[locale.value], locale.value)
}

export async function useLocale(next: Locale): Promise<void> {
  await Promise.all([...opened].map((module) => load(module.id, module.texts[next], next)))
  await loadShellTexts(next)
  i18n.global.locale.value = next
  remember('locale', next)
}

async function load(
  id: string,
  texts: () => Promise<{ readonly default: Texts }>,
  into: Locale,
): Promise<void> {
  const mark = `${into}:${id}`
  if (loaded.has(mark)) return
  const { default: messages } = await texts()
  i18n.global.mergeLocaleMessage(into, { [id]: messages })
  loaded.add(mark)
}

function firstLocale(): Locale {
  const chosen = recall('locale')
  if (chosen === 'en' || chosen === 'zh') return chosen
  return navigator.languages.some((tag) => /^zh\b/i.test(tag)) && !/^en\b/i.test(navigator.language)
    ? 'zh'
    : 'en'
}
