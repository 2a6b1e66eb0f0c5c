/** Usage over days in figures: `GET /api/analytics/…`, one's own or everybody's. */
import type { Scope } from './data.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type UsageCounts = components['schemas']['UsageCounts']
export type UsageFigures = components['schemas']['UsageFigures']
export type UsageStep = components['schemas']['UsageStep']
export type UsageOverview = components['schemas']['UsageOverview']
export type UsageRanking = components['schemas']['UsageRanking']
export type RankedUsage = components['schemas']['RankedUsage']
export type UsageErrors = components['schemas']['UsageErrors']

export const dimensions = ['model', 'channel', 'token', 'user', 'group'] as const
export type Dimension = (typeof dimensions)[number]
export const measures = ['quota', 'requests', 'errors', 'tokens'] as const
export type Measure = (typeof measures)[number]

/** Days (UTC) as `2026-01-31`; both count. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** One of these alone; what is empty or 0 narrows nothing. */
export interface Only {
  readonly model: string
  readonly group: string
  readonly token: number
  /** Admins only. */
  readonly channel: number
  readonly user: number
}

export interface RankingTerms extends Days {
  /** 0: of everybody. */
  readonly user: number
  readonly dimension: Dimension
  readonly order: Measure
  readonly limit: number
}

export function readOverview(
  scope: Scope,
  terms: Days & Partial<Only>,
  signal: AbortSignal,
): Promise<UsageOverview> {
  return request('GET', addressOf(scope, ''), { query: narrowing(terms), signal })
}

/** Of one channel. */
export function readChannelOverview(
  channel: number,
  days: Days,
  signal: AbortSignal,
): Promise<UsageOverview> {
  return request('GET', '/api/analytics/', { query: { ...days, channel }, signal })
}

export function readChannelErrors(
  channel: number,
  days: Days,
  signal: AbortSignal,
): Promise<readonly UsageErrors[]> {
  return request('GET', '/api/analytics/errors', { query: { ...days, channel }, signal })
}

export type ChannelModels = components['schemas']['ChannelModels']

export function readChannelModels(
  channel: number,
  days: number,
  signal: AbortSignal,
): Promise<ChannelModels> {
  return request('GET', '/api/analytics/channel_models', { query: { channel, days }, signal })
}

export function readRanking(
  scope: Scope,
  terms: RankingTerms,
  signal: AbortSignal,
): Promise<UsageRanking> {
  return request('GET', addressOf(scope, 'by'), { query: narrowing(terms), signal })
}

export function readErrors(
  scope: Scope,
  terms: Days & Only,
  signal: AbortSignal,
): Promise<readonly UsageErrors[]> {
  return request('GET', addressOf(scope, 'errors'), { query: narrowing(terms), signal })
}

/** Without what narrows nothing. */
function narrowing(terms: object): Record<string, string | number> {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value))
}

function addressOf(scope: Scope, word: string): string {
  if (scope === 'all') return `/api/analytics/${word}`
  return word === '' ? '/api/analytics/self' : `/api/analytics/self/${word}`
}
