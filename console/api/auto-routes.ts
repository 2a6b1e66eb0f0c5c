/** Auto routes: named chains of groups (ROUTE-5), and the one for those without a group (ROUTE-10). */
import type { Page } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type AutoRoute = components['schemas']['AutoRoute']

export type AutoRouteChange = Pick<AutoRoute, 'key'> & Partial<Omit<AutoRoute, 'key' | 'tokens'>>

const pageSize = 100

/** All of them, in the order users see: there are never more than a few hundred. */
export async function readAutoRoutes(): Promise<readonly AutoRoute[]> {
  const routes: AutoRoute[] = []
  for (let p = 1; ; p += 1) {
    const query = { p, page_size: pageSize }
    const { items, total } = await request<Page<AutoRoute>>('GET', '/api/auto_route/', { query })
    routes.push(...items)
    if (items.length === 0 || routes.length >= total) return routes
  }
}

export function createAutoRoute(form: AutoRouteChange): Promise<AutoRoute> {
  return request('POST', '/api/auto_route/', { body: form })
}

export function updateAutoRoute(change: AutoRouteChange): Promise<AutoRoute> {
  return request('PUT', '/api/auto_route/', { body: change })
}

/** Answers how many API keys named it; their requests are refused from then on. */
export async function deleteAutoRoute(key: string): Promise<number> {
  const path = `/api/auto_route/${encodeURIComponent(key)}`
  return (await request<{ readonly tokens: number }>('DELETE', path)).tokens
}
