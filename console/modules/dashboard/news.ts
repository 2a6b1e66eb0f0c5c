/** What the operator tells everybody, as the status and the notice have it. Entries of another shape are left out. */
import { computed } from 'vue'
import { useSite } from '../../shell/site.js'

export interface Announcement {
  readonly content: string
  readonly publishDate: string
  readonly type?: string
  readonly extra?: string
}

export interface ApiAddress {
  readonly url: string
  readonly route: string
  readonly description: string
}

export interface Question {
  readonly question: string
  readonly answer: string
}

export function useNews() {
  const site = useSite()
  const listOf = <Entry>(name: string, fits: (entry: Entry) => boolean) =>
    computed<readonly Entry[]>(() => {
      const list = site.status?.[name]
      if (!Array.isArray(list)) return []
      return list.filter((entry) => typeof entry === 'object' && entry !== null && fits(entry))
    })
  const announcements = listOf<Announcement>('announcements', ({ content }) => isText(content))
  return {
    /** Newest first. */
    announcements: computed(() =>
      [...announcements.value].sort((one, other) => timeOf(other) - timeOf(one)),
    ),
    addresses: listOf<ApiAddress>('api_info', ({ url }) => isText(url)),
    questions: listOf<Question>(
      'faq',
      ({ question, answer }) => isText(question) && isText(answer),
    ),
  }
}

/** Unix seconds; 0 where the date is none. */
export function timeOf({ publishDate }: Announcement): number {
  const ms = Date.parse(publishDate)
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
