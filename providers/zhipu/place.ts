/**
 * Where calls go. A base URL is a host, the alias of a coding plan, or a path out of the service's documentation, with
 * or without the plan.
 */
import { normalBase } from '../../kernel/toolkit/provider/index.js'

const plans: Readonly<Record<string, string>> = {
  'glm-coding-plan': 'https://open.bigmodel.cn',
  'glm-coding-plan-international': 'https://api.z.ai',
}

export function isPlan(baseUrl: string): boolean {
  return Object.hasOwn(plans, baseUrl) || baseUrl.includes('/api/coding')
}

const written = /\/api(?:\/coding)?(?:\/paas(?:\/v4)?)?$/

/** A path below `/api/paas/v4`, or one that begins with `/api` and is the same in both. */
export function urlOf(baseUrl: string, path: string): string {
  const host = plans[baseUrl] ?? normalBase(baseUrl).replace(written, '')
  if (path.startsWith('/api/')) return `${host}${path}`
  return `${host}${isPlan(baseUrl) ? '/api/coding/paas/v4' : '/api/paas/v4'}${path}`
}
