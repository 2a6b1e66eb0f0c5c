/**
 * Where calls go. A base URL is a host, the alias of the coding plan, or a path out of the service's documentation, with
 * or without the plan.
 */
import { normalBase } from '../../kernel/toolkit/provider/index.js'

const alias = 'doubao-coding-plan'
const planHost = 'https://ark.cn-beijing.volces.com'

export function isPlan(baseUrl: string): boolean {
  return baseUrl === alias || baseUrl.includes('/api/coding')
}

const written = /\/api(?:\/(?:coding|compatible))?(?:\/v3)?$/

/** A path below `/api/v3`, or one that begins with `/api` and is whole. */
export function urlOf(baseUrl: string, path: string): string {
  const host = baseUrl === alias ? planHost : normalBase(baseUrl).replace(written, '')
  if (path.startsWith('/api/')) return `${host}${path}`
  return `${host}${isPlan(baseUrl) ? '/api/coding/v3' : '/api/v3'}${path}`
}
