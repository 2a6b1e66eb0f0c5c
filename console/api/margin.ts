/** What is earned and what it costs upstream: `GET /api/margin/…`, for admins. */
import type { Days } from './analytics.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type MarginSums = components['schemas']['MarginSums']
export type MarginOverview = components['schemas']['MarginOverview']
export type MarginRanking = components['schemas']['MarginRanking']
export type RankedMargin = components['schemas']['RankedMargin']

export const marginDimensions = ['channel', 'model', 'user'] as const
export type MarginDimension = (typeof marginDimensions)[number]
export const marginOrders = ['quota', 'cost', 'margin', 'unknown'] as const
export type MarginOrder = (typeof marginOrders)[number]

export function readMargins(days: Days, signal: AbortSignal): Promise<MarginOverview> {
  return request('GET', '/api/margin/', { query: { ...days }, signal })
}

export type CostDay = components['schemas']['CostDay']

export function readCostDays(
  terms: Days & { readonly channel: number },
  signal: AbortSignal,
): Promise<readonly CostDay[]> {
  return request('GET', '/api/margin/bill', { query: { ...terms }, signal })
}

export interface MarginTerms extends Days {
  readonly by: MarginDimension
  readonly order: MarginOrder
  readonly limit: number
}

export function readMarginRanking(terms: MarginTerms, signal: AbortSignal): Promise<MarginRanking> {
  return request('GET', '/api/margin/by', { query: { ...terms }, signal })
}
