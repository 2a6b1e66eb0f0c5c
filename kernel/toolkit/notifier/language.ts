/** The languages in which the gateway writes to people, and which of them somebody reads. */
import accept from '@hapi/accept'

export type NoticeLanguage = 'en' | 'zh'

/** Of a language tag as an account keeps it: Chinese in all its spellings, else English. Undefined: none is kept. */
export function chosenLanguage(tag: unknown): NoticeLanguage | undefined {
  if (typeof tag !== 'string' || tag === '') return undefined
  return languageOf(tag) ?? 'en'
}

/** The first language of an `Accept-Language` header that texts exist in. Undefined: the header names none of them. */
export function acceptedLanguage(
  header: string | readonly string[] | undefined,
): NoticeLanguage | undefined {
  if (typeof header !== 'string') return undefined
  try {
    return accept
      .languages(header)
      .map(languageOf)
      .find((language) => language !== undefined)
  } catch {
    // A header that cannot be read names no language.
    return undefined
  }
}

function languageOf(tag: string): NoticeLanguage | undefined {
  if (/^zh(?:[-_]|$)/i.test(tag)) return 'zh'
  return /^en(?:[-_]|$)/i.test(tag) ? 'en' : undefined
}
