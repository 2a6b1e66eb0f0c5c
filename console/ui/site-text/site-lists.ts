/** Lists of the status with texts of the operator, as far as they are well formed. */
import type { SiteStatus } from '../../api/site.js'

export interface Announcement {
  readonly content: string
  /** Milliseconds. */
  readonly at: number
  readonly tone: 'good' | 'warn' | 'bad' | 'info' | 'quiet'
  readonly extra: string
}

export interface Question {
  readonly question: string
  readonly answer: string
}

const tones: Readonly<Record<string, Announcement['tone']>> = {
  ongoing: 'info',
  success: 'good',
  warning: 'warn',
  error: 'bad',
}

/** The latest first. */
export function announcementsIn(status: SiteStatus | undefined): readonly Announcement[] {
  return recordsOf(status?.announcements)
    .map(({ content, publishDate, type, extra }) => ({
      content: textOf(content),
      at: Date.parse(textOf(publishDate)) || 0,
      tone: tones[textOf(type)] ?? 'quiet',
      extra: textOf(extra),
    }))
    .filter(({ content }) => content !== '')
    .sort((one, other) => other.at - one.at)
}

export function questionsIn(status: SiteStatus | undefined): readonly Question[] {
  return recordsOf(status?.faq)
    .map(({ question, answer }) => ({ question: textOf(question), answer: textOf(answer) }))
    .filter(({ question, answer }) => question !== '' && answer !== '')
}

export interface ApiAddress {
  readonly url: string
  readonly route: string
  readonly description: string
}

export function addressesIn(status: SiteStatus | undefined): readonly ApiAddress[] {
  return recordsOf(status?.api_info)
    .map(({ url, route, description }) => ({
      ...{ url: textOf(url), route: textOf(route), description: textOf(description) },
    }))
    .filter(({ url }) => url !== '')
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
